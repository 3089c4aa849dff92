"""The stages there are, the routes that give them, and what a person may choose about a capture."""

from __future__ import annotations

from typing import Literal

from graphcap.graph.document.value import Value

StageId = Literal[
    "eager", "traced", "dynamo", "pre_grad", "export", "core_aten", "joint", "forward", "backward", "post_grad"
]
STAGES: tuple[StageId, ...] = (
    "eager",
    "traced",
    "dynamo",
    "pre_grad",
    "export",
    "core_aten",
    "joint",
    "forward",
    "backward",
    "post_grad",
)
"""The stages in the order a person meets them."""

LOG_STAGES: tuple[StageId, ...] = ("dynamo", "pre_grad", "joint", "forward", "backward", "post_grad")
"""Those that a log of `TORCH_TRACE` has. Inductor's own two, before and after autograd, are had from logs only."""

RUN_STAGES: tuple[StageId, ...] = tuple(stage for stage in STAGES if stage not in ("traced", "pre_grad", "post_grad"))
"""Those that any model has when it is run: what a person may ask for. `traced` is had of a script's own make_fx or
symbolic_trace call only."""

Route = Literal["eager", "traced", "dynamo", "export", "aot"]
ROUTES: dict[Route, tuple[StageId, ...]] = {
    "eager": ("eager",),
    "traced": ("traced",),
    "dynamo": ("dynamo",),
    "export": ("export", "core_aten"),
    "aot": ("joint", "forward", "backward"),
}
"""Which stages one run of the model gives. Every route starts from the same state of the process."""


class Options(Value, frozen=True, omit_defaults=True):
    """What a person may choose about a capture. The defaults are what plain torch does."""

    mode: Literal["as_written", "train", "eval"] = "as_written"
    decompositions: Literal["none", "core_aten"] = "none"
    partitioner: Literal["min_cut", "default"] = "min_cut"
    meta: bool = False
    inputs: str = ""
    second_inputs: str = ""  # what the compiled function is called with after the first call: what torch compiles anew
    stages: tuple[StageId, ...] = RUN_STAGES  # of a log always LOG_STAGES
    rerun: bool = False
    entry: str = ""  # of several files the one to capture, by its name or the end of its path; "": found by the rules
    construct: str = ""  # how the model is made, `Net(10)`, or a name of the file; "": found by the rules
    parameter_statistics: bool = False  # of parameters and buffers min, max, mean, ... are kept; their values never
