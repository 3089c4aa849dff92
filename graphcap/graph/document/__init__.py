"""GraphDocument: everything one capture recorded, as plain frozen values.

The words are those of the field: a *target* is one thing captured; its *stages* are the steps of the compiler stack;
a stage holds *graphs*; a graph holds *nodes* in execution order. Facts only: whatever can be concluded from these
values (edges, kinds, groups, links) is computed in `graphcap.analyses` and never stored here.

This is the contract's one door: others import its names from here, and which file of the folder holds one is the room's
own affair.

Changing a value changes the schema: run ``python -m graphcap.graph.schema`` and commit ``schema.json``; a change that an
older reader cannot ignore needs a new major number in `SCHEMA`.
"""

from __future__ import annotations

from graphcap.graph.document.arguments import Arg, Atom, Cut, GraphRef, Map, Meta, Ref, Scalar, Seq, TensorMeta, Tuple
from graphcap.graph.document.graphs import SECOND, Frame, Graph, Module, OpSchema, Replay
from graphcap.graph.document.nodes import (
    Node,
    Origin,
    Output,
    OutputKind,
    Placeholder,
    PlaceholderKind,
    Source,
    Statistics,
)
from graphcap.graph.document.options import LOG_STAGES, ROUTES, RUN_STAGES, STAGES, Options, Route, StageId
from graphcap.graph.document.stages import (
    Break,
    Constraint,
    FailedGuard,
    Failure,
    Guard,
    Recompile,
    Stage,
    StageStatus,
    Symbol,
)
from graphcap.graph.document.targets import Compilation, Target
from graphcap.graph.document.value import Value

__all__ = [
    "LOG_STAGES",
    "ROUTES",
    "RUN_STAGES",
    "SCHEMA",
    "SECOND",
    "STAGES",
    "Arg",
    "Atom",
    "Break",
    "Compilation",
    "Constraint",
    "Cut",
    "FailedGuard",
    "Failure",
    "File",
    "Frame",
    "Graph",
    "GraphDocument",
    "GraphRef",
    "Guard",
    "Map",
    "Meta",
    "Module",
    "Node",
    "OpSchema",
    "Options",
    "Origin",
    "Output",
    "OutputKind",
    "Placeholder",
    "PlaceholderKind",
    "Recompile",
    "Ref",
    "Replay",
    "Route",
    "Scalar",
    "Seq",
    "Source",
    "Stage",
    "StageId",
    "StageStatus",
    "Statistics",
    "Symbol",
    "Target",
    "TensorMeta",
    "Tuple",
    "Value",
]

SCHEMA = "graphcap/1"


class File(Value, frozen=True, omit_defaults=True):
    """A submitted file. `text` is None for a binary one."""

    name: str
    size: int
    text: str | None = None


class GraphDocument(Value, frozen=True, omit_defaults=True):
    """A whole capture. `failures` says why nothing could be captured; a failed stage says so itself."""

    schema: str
    torch: str
    files: tuple[File, ...]
    options: Options
    targets: tuple[Target, ...] = ()
    failures: tuple[Failure, ...] = ()
    log: str = ""  # what the person's code printed: stdout and stderr as they came, capped
    log_cut: int = 0  # bytes dropped at the cap
