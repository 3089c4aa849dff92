"""What to capture: an ordered table of rules, each `Scene -> Finding`; the first that applies wins, `None`: not mine."""

from __future__ import annotations

import contextlib
import dataclasses
import types
from collections.abc import Callable, Mapping
from typing import Any

import torch

from graphcap.capture.failures import failure_of
from graphcap.capture.find.construct import ConstructError, constructed
from graphcap.capture.find.functions import function_in
from graphcap.capture.find.inputs import InputsError
from graphcap.capture.find.modules import LINES, NoModule, module_in, uncompiled
from graphcap.capture.find.programs import called
from graphcap.capture.find.signature import (
    Call,
    call_with,
    examples_in,
    field_lines,
    lines_for_a_method,
    lines_to_add,
    needed,
    required,
    without_forward,
    without_inputs,
)
from graphcap.capture.find.watching.as_target import loaded_of
from graphcap.capture.find.watching.called import with_parameters
from graphcap.capture.find.watching.calls import FORWARD, Recorded
from graphcap.capture.target.loaded import Arguments, Loaded
from graphcap.graph.document import Failure, Frame, Target
from graphcap.graph.inputs import FIELD, HINT

MAX_TITLE = 200  # characters; readers refuse 500


@dataclasses.dataclass(frozen=True)
class Scene:
    """What the rules look at."""

    module: types.ModuleType
    calls: tuple[Recorded, ...]
    calls_left_out: int
    inputs: str  # the *inputs* field
    users: Mapping[str, str]
    called: tuple[Recorded, ...] = ()
    meta: bool = False
    second_inputs: str = ""  # the same for a second call
    construct: str = ""  # the expression that makes the model
    guessed: Mapping[str, str] = dataclasses.field(default_factory=dict)  # see Request.guessed


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A target with the rule that found it, in words for the page."""

    loaded: Loaded
    rule: str
    frame: Frame | None = None

    def target(self) -> Target:
        """As the document has it, without stages."""
        return Target(self.loaded.id, self.loaded.title, self.rule, frame=self.frame, fits=self.loaded.fits)


@dataclasses.dataclass(frozen=True)
class Finding:
    """Targets, or why there are none."""

    candidates: tuple[Candidate, ...] = ()
    failures: tuple[Failure, ...] = ()

    def saying(self, words: str) -> Finding:
        """The same, with these words too behind what found each target."""
        if not words:
            return self
        told = tuple(dataclasses.replace(each, rule=f"{each.rule}; {words}") for each in self.candidates)
        return Finding(told, self.failures)


CONSTRUCT_HINT = "Write a call with names of the file, `Net(10, hidden=64)`, or the name of a function."


def find_targets(scene: Scene) -> Finding:
    """The first rule that applies; the last one always does."""
    try:
        with torch.device("meta" if scene.meta else "cpu"):
            finding = next(finding for rule in RULES if (finding := rule(scene)) is not None)
            return with_second(finding, scene.second_inputs)
    except InputsError as error:
        return Finding(failures=(bad_inputs(error),))
    except ConstructError as error:
        return Finding(failures=(Failure("bad-construct", str(error), hints=(CONSTRUCT_HINT,)),))
    except BaseException as error:  # the person's constructor, signature or descriptor raised
        return Finding(failures=(failure_of(error, scene.users),))


def bad_inputs(error: InputsError) -> Failure:
    """Why the inputs cannot be used, and how they are written."""
    return Failure("bad-inputs", str(error), hints=(HINT,))


def constructed_model(scene: Scene) -> Finding | None:
    """What the option `construct` makes, with inputs from the form, else the file's `example_args`."""
    if not scene.construct.strip():
        return None
    made = constructed(scene.module, scene.construct)
    if not scene.inputs.strip() and "example_args" in vars(scene.module):
        return _with_examples(scene, made.model, f"{made.rule}, with `example_args` in the file")
    return _with_form(scene, made.model, made.rule, made.expression)


def named_model(scene: Scene) -> Finding | None:
    """`model` with `example_args`, as in torch._export.db.examples."""
    names = vars(scene.module)
    model = uncompiled(names.get("model"))
    if "model" not in names or isinstance(model, torch.export.ExportedProgram):
        return None
    if "example_args" not in names and not (scene.inputs.strip() and callable(model)):
        return None
    if isinstance(model, type):
        return _nothing(f"`model` is a class; make an instance of it: model = {model.__name__}()", ())
    if not callable(model):
        return _nothing(f"`model` is not callable: it is of the type {type(model).__name__}", (LINES,))
    if scene.inputs.strip():
        return _one(scene, model, call_with(model, scene.inputs), "`model` in the file, with the inputs given")
    return _with_examples(scene, model, "`model` and `example_args` in the file")


def _with_examples(scene: Scene, model: Any, rule: str) -> Finding:
    return _one(scene, model, examples_in(scene.module), rule)


def _second_in(module: types.ModuleType) -> Arguments | None:
    """`example_args_2` and `example_kwargs_2`: what the compiled function is called with after the first call."""
    if not vars(module).keys() & {"example_args_2", "example_kwargs_2"}:
        return None
    call = examples_in(module, "_2")
    return call.args, call.kwargs


def with_second(finding: Finding, text: str) -> Finding:
    """Every candidate with the second inputs of the form, if there are any. Raises InputsError."""
    if not text.strip():
        return finding
    return dataclasses.replace(finding, candidates=tuple(_with_second(candidate, text) for candidate in finding.candidates))


def _with_second(candidate: Candidate, text: str) -> Candidate:
    loaded = candidate.loaded
    if loaded.missing:
        return candidate
    on_meta = loaded.program is not None and any(isinstance(each, torch.Tensor) and each.is_meta for each in loaded.args)
    try:
        # the first call starts from the random state it had without them
        with torch.random.fork_rng(devices=()), torch.device("meta") if on_meta else contextlib.nullcontext():
            call = call_with(loaded.model, text)
    except InputsError as error:
        raise InputsError(f"second inputs: {str(error).removeprefix('inputs, ')}") from None
    return dataclasses.replace(candidate, loaded=dataclasses.replace(loaded, second=(call.args, call.kwargs)))


def own_calls(scene: Scene) -> Finding | None:
    """What the script itself exports and compiles."""
    if not scene.calls:
        return None
    return Finding(tuple(_called(scene, i, call) for i, call in enumerate(scene.calls, 1)))


def _called(scene: Scene, number: int, call: Recorded) -> Candidate:
    line = f", {call.frame.words()}" if call.frame else ""
    rule = f"the script's own call of {title_of(call.model) if call.api == FORWARD else call.api}{line}"
    if call.replaced:
        rule += f"; it ran with the backend eager in place of {call.replaced}"
    elif call.api == "torch.compile":
        rule += f"; with the backend {call.options.get('backend')}"
    given = Call(call.args, call.kwargs, call.options.get("dynamic_shapes"))
    if scene.inputs.strip():
        given, rule = call_with(call.model, scene.inputs), rule + "; with the inputs given"
    elif call.later:
        rule += again(len(call.later))
    if number == len(scene.calls) and scene.calls_left_out:
        rule += f" ({scene.calls_left_out} later calls are left out)"
    several = len(scene.calls or scene.called) > 1
    title = title_of(call.model) + (f" ({call.frame.words()})" if call.frame and several else "")
    own = loaded_of(call, f"t{number}", title, (given.args, given.kwargs))
    loaded = dataclasses.replace(own, dynamic_shapes=given.dynamic_shapes)
    return Candidate(loaded, rule, call.frame)


def again(times: int) -> str:
    """Words for a compiled function's further calls."""
    return f"; the script calls it again with inputs of {'another form' if times == 1 else f'{times} other forms'}"


def program(scene: Scene) -> Finding | None:
    """ExportedPrograms in variables, with the inputs of the form where it has any."""
    found = {name: value for name, value in vars(scene.module).items() if isinstance(value, torch.export.ExportedProgram)}
    candidates = [
        program_candidate(f"t{i}", name, value, f"the ExportedProgram in the variable `{name}`", scene.inputs)
        for i, (name, value) in enumerate(found.items(), 1)
    ]
    return Finding(tuple(candidates)) if candidates else None


def program_candidate(
    id_: str, title: str, exported: torch.export.ExportedProgram, rule: str, inputs: str = "", *, meta: bool = False
) -> Candidate:
    """A target for a program; without inputs that fit only its own graphs can be shown. Raises InputsError."""
    ready = called(exported, inputs, meta=meta)
    if ready.missing:
        return Candidate(Loaded(id_, title, None, program=ready.program, missing=ready.missing), rule + ready.words)
    model = ready.program.module()
    return Candidate(Loaded(id_, title, model, ready.args, ready.kwargs, program=ready.program), rule + ready.words)


def called_modules(scene: Scene) -> Finding | None:
    """What the script just calls, with what it calls it with, unless the form has inputs."""
    called = with_parameters(scene.called)
    if not called or scene.inputs.strip():
        return None
    scene = dataclasses.replace(scene, called=called)
    return Finding(tuple(_called(scene, i, call) for i, call in enumerate(called, 1)))


def with_inputs(scene: Scene) -> Finding:
    """One nn.Module in a variable, or one class that needs no arguments, else the one function; with inputs from the form
    where it needs any.
    """
    try:
        made = module_in(scene.module) or function_in(scene.module)
    except NoModule as nothing:
        return _nothing(str(nothing), nothing.lines)
    return _with_form(scene, made.model, made.rule, made.expression)


def _with_form(scene: Scene, model: Any, rule: str, expression: str) -> Finding:
    """The model with the inputs of the form; none where it needs none."""
    if without_forward(model):
        return _nothing(f"{rule}: it has no `forward`, so it can not be called", (lines_for_a_method(model, expression),))
    if scene.inputs.strip():
        return _one(scene, model, call_with(model, scene.inputs), f"{rule}, with the inputs given")
    if names := required(model):
        what = f"{rule}: it needs inputs ({', '.join(names)})"
        field = f"or fill in {FIELD}:\n{field_lines(needed(model, names, scene.guessed))}"
        return _nothing(what, (lines_to_add(model, expression, scene.guessed), field))
    return _one(scene, model, Call(), f"{rule}, {without_inputs(model)}")


RULES: tuple[Callable[[Scene], Finding | None], ...] = (
    constructed_model,
    named_model,
    own_calls,
    program,
    called_modules,
    with_inputs,
)


def _nothing(what: str, lines: tuple[str, ...]) -> Finding:
    looked = (
        "Looked for: `model` with `example_args`; calls of torch.export.export or of something under torch.compile; an "
        "ExportedProgram; an nn.Module that is called, or in a variable; a class that needs no arguments, else a function."
    )
    sentence = what if what.endswith("?") else f"{what}."
    return Finding(failures=(Failure("nothing-to-capture", f"{sentence}\n{looked}", hints=lines),))


def _one(scene: Scene, model: Any, call: Call, rule: str) -> Finding:
    return one_target(model, call, rule, _second_in(scene.module))


def one_target(model: Any, call: Call, rule: str, second: Arguments | None = None) -> Finding:
    """The model as the only target; `second`: what it is called with after the first call."""
    loaded = Loaded("t1", title_of(model), model, call.args, call.kwargs, call.dynamic_shapes, second=second)
    return Finding((Candidate(loaded, rule),))


def title_of(model: Any) -> str:
    """The class of a module, the name of a function."""
    if isinstance(model, torch.nn.Module):
        return type(model).__name__[:MAX_TITLE]
    return str(getattr(model, "__name__", type(model).__name__))[:MAX_TITLE]
