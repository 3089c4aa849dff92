"""What the store hands out: frozen records, complete when returned, detached from the database."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Literal

from graphcap.graph.document import (
    Compilation,
    Constraint,
    Failure,
    Frame,
    Options,
    Replay,
    StageId,
    StageStatus,
    Symbol,
)
from graphcap.graph.notebooks.cells import Cell
from graphcap.graph.stream import Kind
from graphcap.intake.submission import Submission

CaptureStatus = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED: tuple[CaptureStatus, ...] = ("done", "failed", "cancelled")
"""The states a capture never leaves."""

HELD = "held"
"""The status of a row that is no capture any more: it was deleted, but others show its content."""


@dataclasses.dataclass(frozen=True)
class Sender:
    """Who sends a submission. `address` is what is counted as one; `local`: this machine itself, which has no limits.

    `at_once` may wait and run together, `per_minute` may be sent in a minute; 0: no limit.
    """

    address: str
    local: bool = False
    at_once: int = 0
    per_minute: int = 0


@dataclasses.dataclass(frozen=True)
class Created:
    """A new capture. `delete_token` is shown once and kept only as a hash; it is `done` where it shows an earlier run."""

    id: str
    delete_token: str
    status: CaptureStatus = "queued"


@dataclasses.dataclass(frozen=True)
class FileSummary:
    """A submitted file: its name and size in bytes, and the cells of a notebook's code."""

    name: str
    size: int
    cells: tuple[Cell, ...] = ()


@dataclasses.dataclass(frozen=True)
class GraphSummary:
    """A graph without its body. `nodes`, `edges` are counts; `parent` is the GID of the graph that runs it, or "".

    `variant` and `recompile`: it is one that its fragment has besides its own.
    """

    id: str
    title: str
    fragment: int
    nodes: int
    edges: int
    inference: bool
    parent: str
    variant: str = ""
    recompile: int = 0
    replay: Replay | None = None
    program_bytes: int = 0  # size of the exported program it is of, as a .pt2 file; 0: there is none


@dataclasses.dataclass(frozen=True)
class StageSummary:
    """A stage with the sizes of its graphs. `breaks` and `guards` are counts; `seconds` is None until it ended."""

    id: StageId
    status: StageStatus
    seconds: float | None
    reason: str
    notes: tuple[str, ...]
    failures: tuple[Failure, ...]
    breaks: int
    guards: int
    graphs: tuple[GraphSummary, ...]
    symbols: tuple[Symbol, ...] = ()
    constraints: tuple[Constraint, ...] = ()


@dataclasses.dataclass(frozen=True)
class TargetSummary:
    """One thing captured, with every stage asked for in its order."""

    id: str
    title: str
    rule: str
    frame: Frame | None
    stages: tuple[StageSummary, ...]
    compilations: tuple[Compilation, ...] = ()  # of a logged run

    @property
    def graphs(self) -> tuple[GraphSummary, ...]:
        """Those of all its stages."""
        return tuple(graph for stage in self.stages for graph in stage.graphs)


@dataclasses.dataclass(frozen=True)
class CaptureSummary:
    """A capture without files, log text and graph bodies. Times are UTC; `queue_position` is 1 for the next one to run."""

    id: str
    status: CaptureStatus
    queue_position: int | None
    created: datetime
    started: datetime | None
    finished: datetime | None
    kind: Kind
    entry: str
    files: tuple[FileSummary, ...]
    options: Options
    sha256: str
    torch: str
    failures: tuple[Failure, ...]
    log_bytes: int
    log_cut: int
    cancel_requested: bool
    revision: int
    targets: tuple[TargetSummary, ...]

    @property
    def ended(self) -> bool:
        """True once nothing about the capture changes any more."""
        return self.status in ENDED

    @property
    def graphs(self) -> tuple[GraphSummary, ...]:
        """Those of all its targets."""
        return tuple(graph for target in self.targets for graph in target.graphs)

    @property
    def seconds(self) -> float | None:
        """Wall clock from start to finish; None until it finished, or if it never started."""
        if self.started is None or self.finished is None:
            return None
        return (self.finished - self.started).total_seconds()

    @property
    def title(self) -> str:
        """What a list calls it: the first target's title, else the file's name."""
        return self.targets[0].title if self.targets else self.entry


@dataclasses.dataclass(frozen=True)
class CaptureTitle:
    """A capture as one line of a list."""

    id: str
    status: CaptureStatus
    title: str
    created: datetime


@dataclasses.dataclass(frozen=True)
class Log:
    """What the person's code printed, from character `start` on; `cut` is how many bytes were dropped at the cap."""

    text: str
    start: int
    cut: int


@dataclasses.dataclass(frozen=True)
class Rendered:
    """A cached answer: its gzip bytes, and a strong ETag (without quotes) of content and serializer version."""

    gzip: bytes
    etag: str


@dataclasses.dataclass(frozen=True)
class QueueCounts:
    """How many captures wait and how many run."""

    queued: int
    running: int


@dataclasses.dataclass(frozen=True)
class Claimed:
    """A capture taken from the queue to be run; `attempt` counts from 1; `local`: it was sent from this machine itself."""

    id: str
    submission: Submission
    attempt: int
    local: bool = False
