from __future__ import annotations

from graphcap.graph.document import Graph, Map, Node, Ref, Seq
from graphcap.graph.edges import edges


def test_every_use_is_an_edge_with_its_slot() -> None:
    nodes = (
        Node("a", "placeholder", "a"),
        Node("b", "placeholder", "b"),
        Node(
            "c",
            "call_function",
            "f",
            (Ref(0), Seq("list", (Ref(1), 3, Seq("tuple", (Ref(0),))))),
            (("m", Map((("k", Ref(1)),))),),
        ),
        Node("d", "call_function", "mul", (Ref(2), Ref(2))),
    )
    assert edges(Graph("export.0", "", 0, nodes)) == [
        (0, 2, "0"),
        (1, 2, "1[0]"),
        (0, 2, "1[2][0]"),
        (1, 2, "m[k]"),
        (2, 3, "0"),
        (2, 3, "1"),
    ]
