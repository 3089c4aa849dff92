"""What a route is: the loaded target it is given, and how it says what it found."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

import torch
import torch.fx

from graphcap.capture.record import Recorder
from graphcap.graph.document import Options, Stage, StageId
from graphcap.graph.stream import Added

Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]
"""What a call is made with, by position and by name."""


@dataclasses.dataclass(frozen=True)
class Traced:
    """A call of make_fx or symbolic_trace; `again` makes the same graph once more, given the submitted files by path."""

    api: str
    again: Callable[[Mapping[str, str]], torch.fx.GraphModule]


@dataclasses.dataclass(frozen=True)
class ByHand:
    """A call of aot_function or aot_module: AOTAutograd without Dynamo before it, as its arguments say."""

    api: str
    partitioner: Literal["min_cut", "default"]
    decompositions: Mapping[Any, Any] | None = None
    dynamic: bool = False


@dataclasses.dataclass(frozen=True)
class Loaded:
    """One target in memory. `id` is t1, t2, ...; GIDs of targets after the first begin with it (`gid`)."""

    id: str
    title: str
    model: Any  # nn.Module or a callable
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    dynamic_shapes: Any = None
    program: torch.export.ExportedProgram | None = None  # the target is this program; `model` is then program.module()
    missing: str = ""  # why there is nothing to call `model` with; then only `program` can be shown
    export_kwargs: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # of the script's own call
    modes: tuple[tuple[torch.nn.Module, bool], ...] = ()  # submodules with their `training` at the script's call
    compile_kwargs: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # of its torch.compile call, e.g. dynamic
    second: Arguments | None = None  # of a second call
    draft: bool = False  # the script itself calls draft_export
    later: tuple[Arguments, ...] = ()  # of the script's further calls of what it compiled, where they have another form
    traced: Traced | None = None
    by_hand: ByHand | None = None
    fits: tuple[StageId, ...] = ()  # see Target.fits
    programs_to: str = ""  # see Request.programs_to

    def gid(self, stage: StageId, fragment: int = 0, variant: str = "", recompile: int = 0) -> str:
        """The GID of a graph of this target."""
        prefix = "" if self.id == "t1" else f"{self.id}."
        return f"{prefix}{stage}.{fragment}" + (f".r{recompile}" if recompile else "") + (f".{variant}" if variant else "")


class Emit(Protocol):
    """How a route says what it found. A stage that was started must be ended; stages not asked for are dropped.

    What is added to a stage that was not asked for, or is more than may be sent, is dropped too.
    """

    def started(self, stage: StageId) -> None:
        """The stage is being worked on."""

    def ended(self, stage: Stage) -> None:
        """The stage is done, failed or skipped. `seconds` is filled in when it is None."""

    def added(self, added: Added) -> None:
        """More about a stage that has ended."""


@dataclasses.dataclass(frozen=True)
class Later:
    """Work that no stage waits for: `do` says what it finds by `Emit.added`. `doing` completes "while ..."."""

    stage: StageId
    doing: str
    do: Callable[[], None]


RunRoute = Callable[[Loaded, Options, Recorder, Emit], Sequence[Later]]
"""Runs one route in a process of its own. An exception it lets through fails every stage it has not ended.

What it returns is done in order once all its stages have ended; what one of these lets through loses that one only.
"""
