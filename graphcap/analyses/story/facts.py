"""What the story is told with: the parts of its answer."""

from __future__ import annotations

import msgspec

from graphcap.analyses.guards.tree import At
from graphcap.analyses.guards.words import Fixes


class Line(msgspec.Struct, frozen=True):
    """A line of the submitted file. `nodes`: of the fragment that are from here; `mark`: `stops` where Dynamo stopped,
    `calls` where Python calls the function in which it stopped, `defines` the head of the function, or ""."""

    line: int
    text: str
    nodes: int
    mark: str


class Excerpt(msgspec.Struct, frozen=True):
    """Lines of one function, in order; lines in between that are left out are a gap in their numbers."""

    file: str
    function: str
    lines: tuple[Line, ...]


class Op(msgspec.Struct, frozen=True):
    """A call of a fragment, as a drawing shows it."""

    node: str
    label: str
    kind: str


class Special(msgspec.Struct, frozen=True):
    """A guard that specialises the code on a value, or that did not hold for the second inputs."""

    source: str
    says: str
    fixes: Fixes
    failed: tuple[str, ...]


class Recompiled(msgspec.Struct, frozen=True):
    """A fragment compiled anew for the second inputs; `reason` in torch's words, `failed` the guards that it names."""

    graph: str
    recompile: int
    nodes: int
    reason: str
    failed: tuple[Special, ...]


class Drawn(msgspec.Struct, frozen=True):
    """A graph of a fragment at some stage."""

    stage: str
    graph: str
    nodes: int


class Fragment(msgspec.Struct, frozen=True, tag="fragment", tag_field="step"):
    """What torch captured as one graph. `first` and `last` are its calls in order, `left_out` of them are between;
    `special` are the first of its `fixed` guards that specialise it."""

    fragment: int
    graph: str
    nodes: int
    calls: int
    first: tuple[Op, ...]
    last: tuple[Op, ...]
    left_out: int
    drawn: tuple[Drawn, ...]
    parts: tuple[Excerpt, ...]
    guards: int
    fixed: int
    special: tuple[Special, ...]
    recompiles: tuple[Recompiled, ...]


class Stop(msgspec.Struct, frozen=True):
    """A graph break; `number` counts those of the target as `/breaks` lists them."""

    number: int
    kind: str
    reason: str
    explanation: str
    hints: tuple[str, ...]
    frames: tuple[At, ...]
    text: str


class Between(msgspec.Struct, frozen=True, tag="python", tag_field="step"):
    """What Python runs between two fragments. `how`: `break`, or where no break is the reason: `call` of a function that
    is captured on its own, `return` from one, `next` function. `again`: earlier fragments, captured from the lines that
    follow the stop: torch has their code already."""

    before: int | None
    after: int | None
    how: str
    function: str
    stops: tuple[Stop, ...]
    parts: tuple[Excerpt, ...]
    again: tuple[int, ...]


class Story(msgspec.Struct, frozen=True):
    """The captured function from top to bottom. Without a fragment `reason` says why; `second` are fragments that only the
    second inputs reach."""

    target: str
    title: str
    status: str
    reason: str
    notes: tuple[str, ...]
    steps: tuple[Fragment | Between, ...]
    second: tuple[Fragment, ...]
