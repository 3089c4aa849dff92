"""One target in memory: what is called and with what, and what the script's own call asks for."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Literal

import torch
import torch.fx

from graphcap.graph.document import StageId

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
