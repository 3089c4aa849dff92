"""One of the analyses: takes a Graph, returns it as lines of text in nested modules: for readers without the drawing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from graphcap.analyses.groups import groups
from graphcap.analyses.kinds import kind
from graphcap.analyses.labels import label, type_text
from graphcap.graph.document import Graph
from graphcap.graph.edges import edges


class Line(NamedTuple):
    """A module begins (`open`: its path, class and how many nodes it holds) or ends (`close`), or a node."""

    what: Literal["open", "close", "node"]
    name: str = ""
    label: str = ""
    type: str = ""
    kind: str = ""
    reads: tuple[str, ...] = ()
    nodes: int = 0


def outline(graph: Graph) -> Iterator[Line]:
    """Modules in the order of the table, each with its own nodes in execution order, then the modules inside it."""
    uses = edges(graph)
    placed = groups(graph, uses)
    reads: list[dict[str, None]] = [{} for _ in graph.nodes]
    for use in uses:
        reads[use.user][graph.nodes[use.source].name] = None
    children: list[list[int]] = [[] for _ in placed.modules]
    held: list[list[int]] = [[] for _ in placed.modules]
    for index, group in enumerate(placed.group):
        held[max(0, group)].append(index)
    total = [len(each) for each in held]
    for index in range(len(placed.modules) - 1, 0, -1):
        parent = placed.modules[index].parent
        children[parent].insert(0, index)
        total[parent] += total[index]
    pending = [0]
    while pending:
        index = pending.pop()
        if index < 0:
            yield Line("close")
            continue
        module = placed.modules[index]
        yield Line("open", module.path, module.cls, nodes=total[index])
        for at in held[index]:
            node = graph.nodes[at]
            yield Line("node", node.name, label(node), type_text(node.value), kind(node), tuple(reads[at]))
        pending += [-1, *reversed(children[index])]
