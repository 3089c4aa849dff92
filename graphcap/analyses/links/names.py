"""Links by name: nodes that keep their name from graph to graph, and inputs that are called the same."""

from __future__ import annotations

from collections.abc import Hashable

from graphcap.analyses.links.pairs import Exact
from graphcap.graph.document import Graph, Meta, Node, TensorMeta


def same_names(a: Graph, b: Graph) -> Exact:
    """Nodes of two graphs of one AOTAutograd run: the partitioner keeps names, so that a call read from the other half is an
    input with the call's name there."""
    names = {node.name: i for i, node in enumerate(a.nodes)}
    found: Exact = {}
    for j, node in enumerate(b.nodes):
        i = names.get(node.name)
        if i is not None and _same(a.nodes[i], node):
            found[i, j] = "name"
    return found


def _same(a: Node, b: Node) -> bool:
    """Whether two nodes of one name are one: a pass after the partitioner may give a free name to another node."""
    if "placeholder" not in (a.op, b.op) and (a.op, a.target) != (b.op, b.target):
        return False
    mine, other = a.origin, b.origin
    if mine is None or other is None:
        return mine is other or "placeholder" in (a.op, b.op)
    return (mine.seq_nr, mine.original_aten, mine.source_fn) == (other.seq_nr, other.original_aten, other.source_fn)


def same_inputs(a: Graph, b: Graph, *, locals: bool) -> Exact:
    """Parameters and buffers of two top graphs that are the same thing by its dotted name. With `locals` inputs too: they
    are called like a variable, and behind a graph break `x` may be another value. A name that stands twice names nothing."""
    mine, others = _inputs(a), _inputs(b)
    found: Exact = {}
    for (state, name), i in mine.items():
        j = others.get((state, name), -1)
        if min(i, j) >= 0 and (state or (locals and _form(a.nodes[i].value) == _form(b.nodes[j].value))):
            found[i, j] = "name"
    return found


def _form(value: Meta | None) -> Hashable:
    """What one value has in common in two graphs, of which one may have symbolic sizes."""
    return (value.dtype, len(value.shape)) if isinstance(value, TensorMeta) else type(value).__name__


def _inputs(graph: Graph) -> dict[tuple[bool, str], int]:
    found: dict[tuple[bool, str], int] = {}
    for i, node in enumerate(graph.nodes):
        key = _input_key(node)
        if key is not None:
            found[key] = -1 if key in found else i
    return found


def _input_key(node: Node) -> tuple[bool, str] | None:
    """(whether it is state of the model, dotted name)."""
    held = node.placeholder
    if held is None or not held.name:
        return None
    if held.kind in ("parameter", "buffer"):
        return True, held.name
    if held.kind == "input" and node.op == "placeholder":
        return False, held.name
    if held.kind == "saved" and held.desc.startswith("PlainAOTInput("):  # an input of the forward, saved as it is
        return "_parameters[" in held.desc or "_buffers[" in held.desc, held.name
    return None


def same_positions(a: Graph, b: Graph) -> Exact:
    """The inputs of two bodies that linked ops run: torch hands the operands on in their order."""
    mine, others = ([i for i, node in enumerate(graph.nodes) if node.op == "placeholder"] for graph in (a, b))
    return dict.fromkeys(zip(mine, others, strict=True), "position") if len(mine) == len(others) else {}


def outputs(a: Graph, b: Graph) -> Exact:
    """The output of a graph is the output of the other."""
    ends = [next((i for i, node in enumerate(graph.nodes) if node.op == "output"), -1) for graph in (a, b)]
    return {(ends[0], ends[1]): "name"} if min(ends) >= 0 else {}
