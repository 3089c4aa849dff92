"""One of the analyses: takes a Graph, returns it as GraphML: what yEd, Gephi, Cytoscape and networkx read.

`networkx.read_graphml(path, force_multigraph=True)` gives the graph back. Node ids are FX names; nodes have `label`, `kind`,
`op`, `target`, `type` and `module`, edges the `slot` of the argument they are used in.
"""

from __future__ import annotations

import re

import networkx as nx  # type: ignore[import-untyped]

from graphcap.analyses.kinds import kind
from graphcap.analyses.labels import label
from graphcap.analyses.nodelink import multigraph
from graphcap.graph.document import Graph

SERIALIZER = "graphml-1"

NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no way to write."""


def graphml(graph: Graph) -> str:
    """The whole document."""
    built = multigraph(graph)
    for node in graph.nodes:
        built.nodes[node.name].update(label=label(node), kind=kind(node))
    return "\n".join(nx.generate_graphml(_written(built))) + "\n"


def _written(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """The same graph in characters that XML has."""
    plain: nx.MultiDiGraph = nx.MultiDiGraph(**_texts(graph.graph))
    plain.add_nodes_from((_text(name), _texts(data)) for name, data in graph.nodes(data=True))
    plain.add_edges_from((_text(a), _text(b), key, _texts(data)) for a, b, key, data in graph.edges(keys=True, data=True))
    return plain


def _texts(data: dict[str, str]) -> dict[str, str]:
    return {name: _text(value) for name, value in data.items()}


def _text(text: str) -> str:
    return NOT_XML.sub("\ufffd", text)
