"""Links by `from_node`: torch wrote down the name of the node that a node was made from, and the id of that node's graph.

The ids are Python's and stand for nothing by themselves. Names repeat: each body of a higher-order op has its own `linear`.
So an id is first given a home: the one graph that has all the nodes it names, on the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphcap.analyses.links.lines import line_keys
from graphcap.analyses.links.pairs import Exact
from graphcap.graph.document import Graph, Node


def from_nodes(a: Graph, b: Graph, earlier: Sequence[Graph], later: Sequence[Graph]) -> Exact:
    """Links from nodes of `a` to nodes of `b` made from them. `earlier` and `later` are the families (top graph and bodies)
    they belong to, which may be more than they: a body may have been inlined."""
    homes = find_homes(earlier, later)
    names = {node.name: i for i, node in enumerate(a.nodes)}
    found: Exact = {}
    for j, node in enumerate(b.nodes):
        name = _source(node, homes, a.id)
        if name in names:
            found[names[name], j] = "from_node"
    return found


def _source(node: Node, homes: dict[int, str], wanted: str) -> str:
    """The name of the node of the graph `wanted` that a call was made from, by the oldest source that has a home."""
    if node.origin is None or node.op in ("placeholder", "output"):
        return ""  # they carry the from_node of a call that reads them
    for source in reversed(node.origin.from_node):
        home = homes.get(source.graph_id)
        if home is not None:
            return source.name if home == wanted else ""
    return ""


def find_homes(earlier: Sequence[Graph], later: Sequence[Graph]) -> dict[int, str]:
    """Id of a graph in `from_node` -> GID of the graph it stands for; ids without one are left out."""
    named = _named(later)
    for graph in earlier:  # what the earlier graphs came from is older than they
        for node in graph.nodes:
            for source in node.origin.from_node if node.origin else ():
                named.pop(source.graph_id, None)
    names = [{node.name: i for i, node in enumerate(graph.nodes)} for graph in earlier]
    keys = [line_keys(graph) for graph in earlier]
    homes: dict[int, str] = {}
    for id, uses in named.items():
        best = 0
        homes_of: list[str] = []
        for k, graph in enumerate(earlier):
            if all(name in names[k] for name, _ in uses):
                score = sum(_agree(keys[k][names[k][name]], key) for name, key in uses)
                if score > best:
                    best, homes_of = score, []
                if score == best:
                    homes_of.append(graph.id)
        free = [gid for gid in homes_of if len(homes_of) == 1 or gid not in homes.values()]
        if free:
            homes[id] = free[0]  # bodies that are alike to the line come in the order in which they run
    return homes


def _agree(a: object, b: object) -> int:
    return 0 if a is None or b is None else 1 if a == b else -1


def _named(later: Iterable[Graph]) -> dict[int, dict[tuple[str, object], None]]:
    """For every graph id the (name, line) that calls say they were made from, in order."""
    found: dict[int, dict[tuple[str, object], None]] = {}
    for graph in later:
        keys = line_keys(graph)
        for i, node in enumerate(graph.nodes):
            if node.origin is None or node.op in ("placeholder", "output") or _inner(graph, node):
                continue
            for source in node.origin.from_node:
                found.setdefault(source.graph_id, {})[source.name, keys[i]] = None
    return found


def _inner(graph: Graph, node: Node) -> bool:
    """A body that autograd made for a higher-order op's backward came from a graph that nobody sees."""
    return bool(graph.parent) and node.origin is not None and node.origin.autograd_backward
