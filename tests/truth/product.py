"""What graphcap captured of a submission, read off its messages as the same plain values as `facts.py` reads off torch."""

from __future__ import annotations

from typing import Any

from graphcap.graph.document import Failure, Frame, Graph, Node, Stage, TensorMeta, Tuple
from graphcap.graph.edges import edges
from tests.truth.steady import first_line

Facts = dict[str, Any]


def stage_facts(stage: Stage) -> Facts:
    """One stage as the comparison wants it."""
    found: Facts = {
        "status": stage.status,
        "reason": stage.reason,
        "failures": [failure_facts(failure) for failure in stage.failures],
        "how": [failure.how for failure in stage.failures],
        "graphs": {graph.id: graph_facts(graph) for graph in stage.graphs},
    }
    if stage.id == "eager":
        found["calls"] = eager_calls(stage.graphs)
    if stage.id == "dynamo":
        found["breaks"] = [[b.reason.splitlines()[0], b.frames[-1].line] for b in stage.breaks]
    return found


def failure_facts(failure: Failure) -> list[str]:
    return first_line(failure.type, failure.message)


def graph_facts(graph: Graph) -> Facts:
    names = [node.name for node in graph.nodes]
    return {
        "nodes": [[node.name, node.op, node.target] for node in graph.nodes],
        "edges": sorted([names[edge.source], names[edge.user]] for edge in edges(graph)),
        "values": {node.name: value(node.value) for node in graph.nodes if node.value is not None},
        "modules": {node.name: path for node in graph.nodes if (path := module_path(graph, node))},
        "lines": {node.name: line for node in graph.nodes if (line := user_line(graph, node))},
        "owners": {
            node.name: p.name for node in graph.nodes if (p := node.placeholder) and p.kind in ("parameter", "buffer")
        },
        "text": graph.text,
    }


def value(meta: Any) -> Any:
    if isinstance(meta, TensorMeta):
        stride = None if meta.stride is None else [str(n) for n in meta.stride]
        return [meta.dtype, [str(n) for n in meta.shape], stride, meta.requires_grad]
    if isinstance(meta, Tuple):
        return {"items": [value(item) for item in meta.items]}
    return "other"


def module_path(graph: Graph, node: Node) -> str:
    return graph.modules[node.module][-1].path if node.module >= 0 else ""


def user_line(graph: Graph, node: Node) -> int:
    frames: list[Frame] = [graph.frames[i] for i in graph.stacks[node.stack]] if node.stack >= 0 else []
    return next((frame.line for frame in reversed(frames) if frame.user), 0)


def eager_calls(graphs: tuple[Graph, ...]) -> dict[str, list[str]]:
    """The calls of the forward and of the backward, in order."""
    calls: dict[str, list[str]] = {"forward": [], "backward": []}
    for graph in graphs:
        for node in graph.nodes:
            if node.op == "call_function" and node.target != "operator.getitem":  # no call of ATen
                backward = node.origin is not None and node.origin.autograd_backward
                calls["backward" if backward else "forward"].append(node.target)
    return calls
