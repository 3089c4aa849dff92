"""Route `export`: torch.export.export and its core ATen decomposition; where export refuses, all torch says about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec.structs
import torch
from torch.export.graph_signature import InputKind, OutputKind

from graphcap.capture.compile.shapes import Shapes, blamed, shapes_of_program, watching_shapes
from graphcap.capture.failures import exception_text, failure_of
from graphcap.capture.fx.values import safe_text
from graphcap.capture.process.emit import MAX_NOTE
from graphcap.capture.record import Recorder
from graphcap.capture.replay import stages as replays
from graphcap.capture.replay.start import Start
from graphcap.capture.saving.program import program_bytes
from graphcap.capture.stages.draft import draft_failures
from graphcap.capture.stages.route import Emit, Later
from graphcap.capture.target.loaded import Loaded
from graphcap.capture.target.module import as_module
from graphcap.graph import document
from graphcap.graph.document import Failure, Graph, Options, Output, Placeholder, PlaceholderKind, Stage, StageId
from graphcap.graph.stream import Added, SavedProgram

_INPUTS: dict[InputKind, PlaceholderKind] = {
    InputKind.USER_INPUT: "input",
    InputKind.PARAMETER: "parameter",
    InputKind.BUFFER: "buffer",
    InputKind.CONSTANT_TENSOR: "constant",
    InputKind.CUSTOM_OBJ: "constant",
    InputKind.TOKEN: "token",
}
_OUTPUTS: dict[OutputKind, document.OutputKind] = {
    OutputKind.USER_OUTPUT: "user_output",
    OutputKind.LOSS_OUTPUT: "loss",
    OutputKind.BUFFER_MUTATION: "buffer_mutation",
    OutputKind.PARAMETER_MUTATION: "parameter_mutation",
    OutputKind.USER_INPUT_MUTATION: "input_mutation",
    OutputKind.GRADIENT_TO_PARAMETER: "gradient",
    OutputKind.GRADIENT_TO_USER_INPUT: "gradient",
    OutputKind.TOKEN: "token",
}

Attempt = Callable[[], torch.export.ExportedProgram]


Programs = dict[str, torch.export.ExportedProgram]
"""By the GID of their graph."""


def run_export(target: Loaded, options: Options, recorder: Recorder, emit: Emit) -> Sequence[Later]:
    """Emits `export`, then `core_aten`; later their replays."""
    emit.started("export")
    start = Start(target)
    exported: Programs = {}
    core: Programs = {}
    if target.program is not None:
        exported[target.gid("export")] = program = target.program
        symbols, constraints = shapes_of_program(program)
        graphs = record_program(recorder, target, program, "export")
        emit.ended(Stage("export", "done", graphs=graphs, symbols=symbols, constraints=constraints))
    else:
        stage = _export(target, recorder, exported)
        emit.ended(stage)
    whole = exported.get(target.gid("export"))
    if whole is None:
        reason = "torch.export refused this model, so there is no program to decompose"
        emit.ended(Stage("core_aten", "skipped", reason=reason))
    else:
        emit.started("core_aten")
        emit.ended(_decompose(whole, target, recorder, core))

    def replay() -> None:
        eager = replays.Eager(target, start, backward=False)
        found = replays.programs({**exported, **core}, eager)
        emit.added(Added(target.id, "export", replays=tuple(each for each in found if each.graph in exported)))
        emit.added(Added(target.id, "core_aten", replays=tuple(each for each in found if each.graph in core)))

    def save() -> None:
        """A stage whose program can not be saved has a note that says why."""
        for gid, program in {**exported, **core}.items():
            stage: StageId = "export" if gid in exported else "core_aten"
            emit.added(_saved(target, stage, gid, program))

    return (
        Later("export", "saving its programs", save),
        Later("core_aten", "running its graphs again", replay),
    )


def _saved(target: Loaded, stage: StageId, gid: str, program: torch.export.ExportedProgram) -> Added:
    try:
        if target.programs_to:
            Path(target.programs_to, f"{gid}.pt2").write_bytes(program_bytes(program, weights=True))
        return Added(target.id, stage, programs=(SavedProgram(gid, program_bytes(program)),))
    except Exception as error:  # what a program holds that has no serialized form
        words = f"{gid} can not be had as a .pt2 file: torch.export.save: {type(error).__name__}: {exception_text(error)}"
        return Added(target.id, stage, notes=(words[:MAX_NOTE],))


def _decompose(program: torch.export.ExportedProgram, target: Loaded, recorder: Recorder, found: Programs) -> Stage:
    try:
        core = program.run_decompositions()
        found[target.gid("core_aten")] = core
        return Stage("core_aten", "done", graphs=record_program(recorder, target, core, "core_aten"))
    except Exception as error:  # torch's own decompositions and fake kernels, and the person's custom ops
        return Stage("core_aten", "failed", failures=(failure_of(error, recorder.user_files),))


def _export(target: Loaded, recorder: Recorder, programs: Programs) -> Stage:
    """Of the attempt that the script or plain torch.export makes; with the other attempts where it refuses.

    `programs` is filled in with all that were made.
    """
    attempts = _attempts(target)
    (how, first), *others = attempts.items()
    users = recorder.user_files
    with watching_shapes(users) as shapes:
        try:
            programs[target.gid("export")] = program = first()
            report = tuple(draft_failures(program, users)) if how == "draft" else ()
            graphs = list(record_program(recorder, target, program, "export"))
            return _sized(Stage("export", "done", graphs=tuple(graphs), failures=report), shapes)
        except BaseException as error:  # anything that tracing the person's code can raise, SystemExit too
            failures = [blamed(failure_of(error, users, how), shapes.symbols())]
    graphs = []
    notes: list[str] = []
    for how, attempt in others:
        more, found = _try_again(how, attempt, target, recorder, programs)
        failures += more
        graphs += found
        if found and not more:
            notes.append(f"{how} export makes a program of it and reports nothing wrong")
    return _sized(Stage("export", "failed", graphs=tuple(graphs), failures=tuple(failures), notes=tuple(notes)), shapes)


def _sized(stage: Stage, shapes: Shapes) -> Stage:
    return msgspec.structs.replace(stage, symbols=shapes.symbols(), constraints=shapes.constraints())


def _attempts(target: Loaded) -> dict[str, Attempt]:
    """By name, in order: the script's own kind of export (non-strict, unless it says otherwise), the other kind, draft."""
    given = dict(target.export_kwargs)
    strict = bool(given.pop("strict", False))

    module, args = as_module(target.model, target.args)
    shapes = target.dynamic_shapes

    def call(export: Callable[..., Any], **more: Any) -> Attempt:
        return lambda: export(module, args, dict(target.kwargs), dynamic_shapes=shapes, **given, **more)

    draft = {"draft": call(torch.export.draft_export)}
    if target.draft:
        return draft | {"non-strict": call(torch.export.export, strict=False)}
    kinds = {"non-strict": call(torch.export.export, strict=False), "strict": call(torch.export.export, strict=True)}
    order = ("strict", "non-strict") if strict else ("non-strict", "strict")
    return {name: kinds[name] for name in order} | draft


def _try_again(
    how: str, attempt: Attempt, target: Loaded, recorder: Recorder, programs: Programs
) -> tuple[list[Failure], list[Graph]]:
    """What another kind of export says of a model that was refused, and its graph where it makes one."""
    torch._dynamo.reset()
    with watching_shapes(recorder.user_files) as shapes:
        try:
            program = attempt()
        except BaseException as error:
            failure = failure_of(error, recorder.user_files, how)
            return [blamed(failure, shapes.symbols())], []
    failures = draft_failures(program, recorder.user_files) if how == "draft" else []
    graphs = record_program(recorder, target, program, "export", how)
    programs[graphs[0].id] = program
    return failures, list(graphs)


def record_program(
    recorder: Recorder,
    target: Loaded,
    program: torch.export.ExportedProgram,
    stage: StageId,
    how: str = "",
) -> tuple[Graph, ...]:
    """The graphs of a program, inputs and outputs named by its signature."""
    variant = how.replace("-", "_")
    graphs = recorder.record(
        program.graph_module,
        gid=target.gid(stage, 0, variant),
        title=target.title + (f" ({how} export)" if how else ""),
        variant=variant,
        placeholders=placeholders(program),
        returns=returns(program),
    )
    return tuple(graphs)


def placeholders(program: torch.export.ExportedProgram) -> Mapping[str, Placeholder]:
    """Node name -> what the input stands for."""
    found = {}
    for spec in program.graph_signature.input_specs:
        kind = _INPUTS.get(spec.kind, "other")
        found[spec.arg.name] = Placeholder(kind, spec.target or spec.arg.name, safe_text(spec.kind.name), spec.persistent)
    return found


def returns(program: torch.export.ExportedProgram) -> list[Output]:
    """What each returned value is, in order."""
    return [
        Output(_OUTPUTS.get(spec.kind, "other"), None, spec.target or "", safe_text(spec.kind.name))
        for spec in program.graph_signature.output_specs
    ]
