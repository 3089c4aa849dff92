"""The routes: each runs the model once and gives its stages. One file a route; a new one is a file and a line here."""

from __future__ import annotations

from graphcap.capture.stages.aot import run_aot
from graphcap.capture.stages.dynamo import run_dynamo
from graphcap.capture.stages.eager import run_eager
from graphcap.capture.stages.export import run_export
from graphcap.capture.stages.route import RunRoute
from graphcap.capture.stages.traced import run_traced
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Route

RUN: dict[Route, RunRoute] = {
    "eager": run_eager,
    "traced": run_traced,
    "export": run_export,
    "dynamo": run_dynamo,
    "aot": run_aot,
}
"""In the order they begin: the quick one, for a first graph; then the longest, beside which the other two run."""

STATIC = "captured at the sizes of the example inputs: only export and core_aten keep the dynamic dimensions"


def note_of(route: Route, target: Loaded) -> str:
    """What must be said of every graph of a route: that it is static, where the target is dynamic elsewhere."""
    dynamic = target.dynamic_shapes is not None or (target.program is not None and bool(target.program.range_constraints))
    elsewhere = route in ("dynamo", "aot", "eager") and not target.compile_kwargs.get("dynamic")
    return STATIC if dynamic and elsewhere else ""
