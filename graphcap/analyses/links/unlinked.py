"""Why nodes have no link: what they are, so that a person sees whether anything is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet

from graphcap.analyses.groups import is_backward
from graphcap.analyses.kinds import kind
from graphcap.analyses.labels import op_name
from graphcap.analyses.links.sequence import accumulates
from graphcap.graph.document import Graph, Node

MODES = ("_set_grad_enabled", "_enter_autocast", "_exit_autocast", "_enter_inference_mode", "_exit_inference_mode")
"""Calls in Dynamo's graph that switch a mode and become no node later."""

ASSERTS = ("_assert", "sym_constrain_range", "_check", "_functional_assert", "_functional_sym_constrain")
"""Beginnings of the names of operators that only check something while the graph runs."""


def unlinked(graph: Graph, linked: AbstractSet[int]) -> dict[str, int]:
    """How many nodes have no link, by what they are; the largest number first."""
    counts = Counter(why(node) for i, node in enumerate(graph.nodes) if i not in linked)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def why(node: Node) -> str:
    """What a node without a link is."""
    if node.op == "output":
        return "output"
    if node.op == "placeholder":
        return node.placeholder.kind if node.placeholder else "input"
    if node.op == "get_attr":
        return "constant" if kind(node) != "higher-order" else "body of a higher-order op"
    if op_name(node).startswith(ASSERTS):
        return "runtime assert"
    if op_name(node) in MODES:
        return "mode switch"
    if "rng_state" in node.target:
        return "random state"
    if accumulates(node):
        return "gradient accumulation"
    if kind(node) == "symbolic":
        return "symbolic size"
    if is_backward(node):
        return "backward"
    return "call"
