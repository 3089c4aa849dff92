"""One of the analyses: takes a Graph, returns it as networkx node-link data: directed, multigraph, key `edges`.

`networkx.node_link_graph(data, edges="edges")` gives the graph back. Node ids are FX names.
"""

from __future__ import annotations

from typing import Any

import networkx as nx  # type: ignore[import-untyped]

from graphcap.analyses.labels import type_text
from graphcap.graph.document import Graph
from graphcap.graph.edges import edges

SERIALIZER = "nodelink-1"


def multigraph(graph: Graph) -> nx.MultiDiGraph:
    """The graph for networkx: nodes in execution order with `op`, `target`, `type`, `module`; edges with their `slot`."""
    built: nx.MultiDiGraph = nx.MultiDiGraph(id=graph.id, title=graph.title)
    for node in graph.nodes:
        path = graph.modules[node.module][-1].path if node.module >= 0 and graph.modules[node.module] else ""
        built.add_node(node.name, op=node.op, target=node.target, type=type_text(node.value), module=path)
    built.add_edges_from((graph.nodes[e.source].name, graph.nodes[e.user].name, {"slot": e.slot}) for e in edges(graph))
    return built


def node_link(graph: Graph) -> dict[str, Any]:
    """The same as plain JSON values."""
    data: dict[str, Any] = nx.node_link_data(multigraph(graph), edges="edges")
    return data
