from __future__ import annotations

import json

import networkx as nx
import pytest
from handmade_graphs import call, random_graph, sound

from graphcap.analyses.nodelink import node_link
from graphcap.graph.document import Graph, Node
from graphcap.graph.edges import edges


@pytest.mark.parametrize("seed", range(20))
def test_networkx_reads_it_back(seed: int) -> None:
    graph = random_graph(seed)
    data = json.loads(json.dumps(node_link(graph)))
    back = nx.node_link_graph(data, edges="edges")
    assert back.is_directed()
    assert back.is_multigraph()
    assert list(back.nodes) == [node.name for node in graph.nodes]
    for node in graph.nodes:
        assert (back.nodes[node.name]["op"], back.nodes[node.name]["target"]) == (node.op, node.target)
    expected = sorted((graph.nodes[e.source].name, graph.nodes[e.user].name, e.slot) for e in edges(graph))
    assert sorted(back.edges(data="slot")) == expected


def test_a_value_used_twice_by_one_node_is_two_edges() -> None:
    graph = sound(Graph("export.0", "g", 0, (Node("x", "placeholder", "x"), call("mul", "aten.mul.Tensor", 0, 0))))
    data = node_link(graph)
    assert (data["directed"], data["multigraph"]) == (True, True)
    assert [(e["source"], e["target"], e["slot"]) for e in data["edges"]] == [("x", "mul", "0"), ("x", "mul", "1")]
