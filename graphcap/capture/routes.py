"""The routes: each runs the model once and gives its stages. One file a route; a new one is a file and a line here."""

from __future__ import annotations

from graphcap.capture.stages.aot import run_aot
from graphcap.capture.stages.dynamo import run_dynamo
from graphcap.capture.stages.eager import run_eager
from graphcap.capture.stages.export import run_export
from graphcap.capture.stages.route import RunRoute
from graphcap.capture.stages.traced import run_traced
from graphcap.graph.document import Route

RUN: dict[Route, RunRoute] = {
    "eager": run_eager,
    "traced": run_traced,
    "export": run_export,
    "dynamo": run_dynamo,
    "aot": run_aot,
}
"""In the order they begin: the quick one, for a first graph; then the longest, beside which the other two run."""
