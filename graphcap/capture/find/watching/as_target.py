"""A recorded call as a target: what its routes need to know of it."""

from __future__ import annotations

import contextlib
import dataclasses
import traceback
from collections.abc import Iterator, Mapping
from typing import Any

import torch
import torch._functorch.partitioners as partitioners
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.proxy import TracerBase

from graphcap.capture.find.watching.calls import FORWARD, Recorded
from graphcap.capture.target.loaded import Arguments, ByHand, Loaded, Traced
from graphcap.graph.document import StageId

NO_INPUTS = "symbolic_trace needs no inputs, so there are none to call it with; give them in the form"

FITS: dict[str, tuple[StageId, ...]] = {
    "make_fx": ("eager", "traced"),
    "symbolic_trace": ("traced",),
    "aot_function": ("eager", "joint", "forward", "backward"),
    "aot_module": ("eager", "joint", "forward", "backward"),
}
"""The stages that a call has; any other has all: what it asks for itself, and what else could be made of its model."""


def loaded_of(call: Recorded, id_: str, title: str, given: Arguments) -> Loaded:
    """`given`: the inputs to call it with. The form may give others than the script."""
    args, kwargs = given
    options = dict(call.options)
    shapes = options.pop("dynamic_shapes", None)
    own = Loaded(id_, title, call.model, args, kwargs, modes=call.training, fits=FITS.get(call.api, ()))
    if call.api == FORWARD:
        return own
    if call.api in ("torch.export.export", "torch.export.draft_export"):
        draft = call.api == "torch.export.draft_export"
        return dataclasses.replace(own, dynamic_shapes=shapes, export_kwargs=options, draft=draft)
    if call.api == "torch.compile":
        return dataclasses.replace(own, compile_kwargs=options, later=tuple(call.later))
    if call.api == "make_fx":
        return dataclasses.replace(own, traced=Traced("make_fx", lambda users: _make_fx(call, args, users)))
    if call.api == "symbolic_trace":
        fits: tuple[StageId, ...] = ("eager", "traced") if args or kwargs else FITS[call.api]
        traced = Traced("symbolic_trace", lambda users: _symbolic_trace(call, users))
        return dataclasses.replace(own, traced=traced, missing="" if args or kwargs else NO_INPUTS, fits=fits)
    return dataclasses.replace(own, by_hand=_by_hand(call))


def _make_fx(call: Recorded, args: tuple[Any, ...], users: Mapping[str, str]) -> torch.fx.GraphModule:
    """Again, as the script called it, now with the lines that the nodes come from."""
    with _own_lines(users):
        module: torch.fx.GraphModule = make_fx(call.model, **{**call.options, "record_stack_traces": True})(*args)
    return module


def _symbolic_trace(call: Recorded, users: Mapping[str, str]) -> torch.fx.GraphModule:
    """The same for `symbolic_trace`, which has no option for them."""
    with _own_lines(users):
        return torch.fx.symbolic_trace(call.model, call.options.get("concrete_args"))


@contextlib.contextmanager
def _own_lines(users: Mapping[str, str]) -> Iterator[None]:
    """Tracers keep the person's own frames, where torch keeps those of functions called `forward` and no others."""
    tracer: Any = TracerBase
    before = tracer.record_stack_traces, tracer._filter_traceback_frames

    def own_frames(self: TracerBase, stack: traceback.StackSummary) -> traceback.StackSummary:
        return traceback.StackSummary.from_list([frame for frame in stack if frame.filename in users])

    tracer.record_stack_traces, tracer._filter_traceback_frames = True, own_frames
    try:
        yield
    finally:
        tracer.record_stack_traces, tracer._filter_traceback_frames = before


def _by_hand(call: Recorded) -> ByHand:
    """What the script asks of AOTAutograd itself; whoever leaves the partitioner out gets the default one."""
    min_cut = call.options.get("partition_fn") is partitioners.min_cut_rematerialization_partition
    return ByHand(
        call.api,
        "min_cut" if min_cut else "default",
        call.options.get("decompositions"),
        bool(call.options.get("dynamic", False)),
    )
