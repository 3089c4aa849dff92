"""One step of the compiler stack: its graphs, and what torch said of them: failures, breaks, guards, symbols."""

from __future__ import annotations

import re
from typing import Literal

from msgspec.structs import force_setattr

from graphcap.graph.document.graphs import Frame, Graph
from graphcap.graph.document.options import StageId
from graphcap.graph.document.value import Value

ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""What makes a terminal bold or coloured; torch writes it into messages."""


class Failure(Value, frozen=True, omit_defaults=True):
    """Why something failed, in torch's or Python's own words, with the person's line and what to try."""

    type: str  # exception class, or an outcome of the jail: timeout, memory-limit, crashed
    message: str
    how: str = ""  # which attempt: non-strict, strict, draft; "" when there was one
    frame: Frame | None = None
    hints: tuple[str, ...] = ()
    trace: str = ""

    def __post_init__(self) -> None:
        """Without what only a terminal understands."""
        for name in ("message", "how", "trace"):
            if "\x1b" in (text := getattr(self, name)):
                force_setattr(self, name, ESCAPES.sub("", text))
        if any("\x1b" in hint for hint in self.hints):
            force_setattr(self, "hints", tuple(ESCAPES.sub("", hint) for hint in self.hints))


class Break(Value, frozen=True, omit_defaults=True):
    """Where Dynamo stopped and Python went on."""

    reason: str
    explanation: str = ""
    hints: tuple[str, ...] = ()
    kind: str = ""  # torch's gb_type
    frames: tuple[Frame, ...] = ()  # user stack, outermost first
    before: int | None = None  # fragment that ends here
    after: int | None = None  # fragment that starts after it
    text: str = ""  # torch's message whole


class Guard(Value, frozen=True, omit_defaults=True):
    """One guard of a fragment: what is checked before the compiled code is reused."""

    fragment: int
    kind: str  # TENSOR_MATCH, CONSTANT_MATCH, ...
    source: str  # L['x'], L['self'].cfg.mode
    code: tuple[str, ...] = ()
    frame: Frame | None = None
    recompile: int = 0  # of the code compiled so many times before: see Graph.recompile


class FailedGuard(Value, frozen=True, omit_defaults=True):
    """A check that did not hold for the second inputs, in torch's words: `tensor 'x' size mismatch at index 0. ...`."""

    text: str
    guard: int = -1  # index into the stage's guards; -1: no guard of the document can be said to be the one


class Recompile(Value, frozen=True, omit_defaults=True):
    """A fragment compiled anew for the second inputs: its graph has the same `fragment` and `recompile`."""

    fragment: int
    recompile: int
    reason: str  # torch's words, a line for each earlier code with the check that failed: `0/0: tensor 'x' size ...`
    failed: tuple[FailedGuard, ...] = ()


class Symbol(Value, frozen=True, omit_defaults=True):
    """A size, or a number, that torch keeps as a symbol: where it stands, its range, and what the code fixed it to."""

    name: str  # s77, u0
    sources: tuple[str, ...] = ()  # L['x'].size()[0]
    lower: str = ""  # as torch prints bounds: 2, int_oo
    upper: str = ""
    example: str = ""  # its value in the example inputs
    dim: str = ""  # the name the person gave it: batch
    value: str = ""  # what the code made of it: a number it is specialised to, or a symbol it must equal
    reason: str = ""  # torch's words: `Eq(s77, 10)`, solved from ...
    frame: Frame | None = None  # the line that did


class Constraint(Value, frozen=True, omit_defaults=True):
    """A condition on symbols that must hold for the graph to be right, with the line that asks for it."""

    text: str  # Eq(s77, s27 - 1)
    frame: Frame | None = None


StageStatus = Literal["queued", "running", "done", "failed", "skipped"]


class Stage(Value, frozen=True, omit_defaults=True):
    """One step of the compiler stack for one target. `failed` keeps the graphs that were had before the failure."""

    id: StageId
    status: StageStatus
    seconds: float | None = None
    graphs: tuple[Graph, ...] = ()
    failures: tuple[Failure, ...] = ()
    reason: str = ""  # why it was skipped, or what else must be said about a stage that is done
    notes: tuple[str, ...] = ()
    breaks: tuple[Break, ...] = ()
    guards: tuple[Guard, ...] = ()
    recompiles: tuple[Recompile, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    constraints: tuple[Constraint, ...] = ()
