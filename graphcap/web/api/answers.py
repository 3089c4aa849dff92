"""The shapes of the API's answers about captures, and how they are made of the store's records.

Values of the document leave fields out when they are empty; here every field is always there.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import asdict

from graphcap.graph import document
from graphcap.graph.document import StageId, StageStatus
from graphcap.store.records import CaptureStatus, CaptureSummary, FileSummary, GraphSummary, StageSummary, TargetSummary


class Frame(document.Frame, frozen=True, omit_defaults=False):
    """A line of a stack trace; `user`: of the person's own file."""


class Failure(document.Failure, frozen=True, omit_defaults=False):
    """Why something failed, with the person's line and what to try."""

    frame: Frame | None = None


class Symbol(document.Symbol, frozen=True, omit_defaults=False):
    """A size that torch keeps as a symbol: where it stands, its range, and what the code fixed it to, at which line."""

    frame: Frame | None = None


class Constraint(document.Constraint, frozen=True, omit_defaults=False):
    """A condition on symbols, with the line that asks for it."""

    frame: Frame | None = None


class Break(msgspec.Struct, frozen=True):
    """Where Dynamo stopped; `before` and `after` are the fragments around it."""

    target: str
    stage: str
    reason: str
    explanation: str
    hints: tuple[str, ...]
    kind: str
    frames: tuple[Frame, ...]
    before: int | None
    after: int | None
    text: str


class Guard(msgspec.Struct, frozen=True):
    """What is checked before the compiled code of a fragment is used again."""

    target: str
    fragment: int
    recompile: int
    kind: str
    source: str
    code: tuple[str, ...]
    frame: Frame | None
    failed: tuple[str, ...]  # torch's words, where it did not hold for the second inputs


class Recompile(msgspec.Struct, frozen=True):
    """A fragment compiled anew for the second inputs, and the checks that failed."""

    target: str
    fragment: int
    recompile: int
    reason: str
    failed: tuple[str, ...]


class Replay(document.Replay, frozen=True, omit_defaults=False):
    """What a graph gave when it was run, against eager PyTorch."""


class GraphHead(msgspec.Struct, frozen=True):
    """A graph without its nodes, which are counted; `parent` is the graph that runs it, or "".

    A graph with a `variant` or a `recompile` is one that its fragment has besides its own. `program_bytes`: the size of the
    `.pt2` file that it can be had as; 0: it is the graph of no exported program.
    """

    id: str
    title: str
    fragment: int
    nodes: int
    edges: int
    inference: bool
    parent: str
    variant: str
    recompile: int
    replay: Replay | None
    program_bytes: int


class Stage(msgspec.Struct, frozen=True):
    """A stage with the sizes of its graphs; `breaks` and `guards` are counts; `error` is the first failure."""

    id: StageId
    status: StageStatus
    seconds: float | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    error: Failure | None = None
    failures: tuple[Failure, ...] = ()
    breaks: int = 0
    guards: int = 0
    graphs: tuple[GraphHead, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    constraints: tuple[Constraint, ...] = ()


class Target(msgspec.Struct, frozen=True):
    """One thing captured; `rule`: how it was found."""

    id: str
    title: str
    rule: str
    frame: Frame | None
    stages: tuple[Stage, ...]


class SourceHead(msgspec.Struct, frozen=True):
    """What was submitted."""

    files: tuple[FileSummary, ...]
    kind: str


class Capture(msgspec.Struct, frozen=True):
    """A capture. `stages` are those of the first target, or what is to come while no target is known."""

    id: str
    status: CaptureStatus
    queue_position: int | None
    created: datetime
    seconds: float | None
    source: SourceHead
    options: dict[str, Any]
    torch: str
    failures: tuple[Failure, ...]
    log_bytes: int
    stages: tuple[Stage, ...]
    targets: tuple[Target, ...]


def frame(value: document.Frame | None) -> Frame | None:
    """The same with every field."""
    return None if value is None else Frame(**asdict(value))


def failure(value: document.Failure) -> Failure:
    """The same with every field."""
    return Failure(**{**asdict(value), "frame": frame(value.frame)})


def graph_head(value: GraphSummary) -> GraphHead:
    """A graph of the store."""
    replay = None if value.replay is None else Replay(**asdict(value.replay))
    return GraphHead(**{**dataclasses.asdict(value), "replay": replay})


def stage(value: StageSummary) -> Stage:
    """A stage of the store."""
    failures = tuple(failure(each) for each in value.failures)
    return Stage(
        id=value.id,
        status=value.status,
        seconds=value.seconds,
        reason=value.reason,
        notes=value.notes,
        error=failures[0] if failures else None,
        failures=failures,
        breaks=value.breaks,
        guards=value.guards,
        graphs=tuple(graph_head(each) for each in value.graphs),
        symbols=tuple(Symbol(**{**asdict(each), "frame": frame(each.frame)}) for each in value.symbols),
        constraints=tuple(Constraint(each.text, frame(each.frame)) for each in value.constraints),
    )


def target(value: TargetSummary) -> Target:
    """A target of the store."""
    return Target(value.id, value.title, value.rule, frame(value.frame), tuple(stage(each) for each in value.stages))


def capture(value: CaptureSummary) -> Capture:
    """A capture of the store."""
    targets = tuple(target(each) for each in value.targets)
    expected = () if value.ended else tuple(Stage(id, "queued") for id in value.options.stages)
    return Capture(
        id=value.id,
        status=value.status,
        queue_position=value.queue_position,
        created=value.created,
        seconds=value.seconds,
        source=SourceHead(value.files, value.kind),
        options=asdict(value.options),
        torch=value.torch,
        failures=tuple(failure(each) for each in value.failures),
        log_bytes=value.log_bytes,
        stages=targets[0].stages if targets else expected,
        targets=targets,
    )


def break_(target: str, stage: str, value: document.Break) -> Break:
    """A break with where it belongs."""
    frames = tuple(Frame(**asdict(each)) for each in value.frames)
    return Break(target, stage, **{**asdict(value), "frames": frames})


def guards(target: str, stage: document.Stage) -> list[Guard]:
    """The guards of a stage with where they belong, and how they failed."""
    failed: dict[int, list[str]] = defaultdict(list)
    for each in stage.recompiles:
        for check in each.failed:
            failed[check.guard].append(check.text)
    return [
        Guard(target, **{**asdict(value), "frame": frame(value.frame)}, failed=tuple(failed[i]))
        for i, value in enumerate(stage.guards)
    ]


def recompile(target: str, value: document.Recompile) -> Recompile:
    """A recompile with where it belongs."""
    failed = tuple(check.text for check in value.failed)
    return Recompile(target, value.fragment, value.recompile, value.reason, failed)
