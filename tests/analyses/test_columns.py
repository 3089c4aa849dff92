from __future__ import annotations

import msgspec
import pytest
from handmade_graphs import F32, call, random_graph, sound, stacks

from graphcap.analyses.columns import OPS, Columns, columns
from graphcap.graph.document import Frame, Graph, GraphRef, Meta, Node, Output, Placeholder, Ref, Scalar, Seq, Tuple
from graphcap.graph.edges import edges


@pytest.mark.parametrize("seed", range(50))
def test_columns_are_of_equal_length_and_index_inside_their_tables(seed: int) -> None:
    graph = random_graph(seed, size=20 + 3 * seed)
    answer = msgspec.json.decode(msgspec.json.encode(columns(graph)))
    nodes, uses, count = answer["nodes"], answer["edges"], len(graph.nodes)
    assert {name: len(column) for name, column in nodes.items()} == dict.fromkeys(nodes, count)
    assert {name: len(column) for name, column in uses.items()} == dict.fromkeys(uses, len(edges(graph)))
    assert len(set(answer["strings"])) == len(answer["strings"])

    def inside(column: list[int], size: int, least: int = 0) -> None:
        assert all(least <= entry < size for entry in column)

    for name in ("target_s", "label_s", "type_s", "dtype_s", "tag_s", "original_s"):
        inside(nodes[name], len(answer["strings"]))
    inside(uses["slot_s"], len(answer["strings"]))
    inside(nodes["op"], len(OPS))
    inside(nodes["kind"], len(answer["kinds"]))
    inside(nodes["group"], len(answer["modules"]))
    inside(nodes["module"], len(answer["modules"]), -1)
    inside(nodes["line"], len(answer["lines"]), -1)
    inside(nodes["call"], len(answer["calls"]), -1)
    inside(nodes["core"], 2, -1)
    inside(nodes["chip"] + nodes["backward"], 2)
    inside(uses["src"] + uses["dst"], count)
    several = dict(answer["outputs"])
    for source, output in zip(uses["src"], uses["output"], strict=True):
        inside([output], len(several.get(source, [0])), -1)
    for node, types in several.items():
        inside([node], count)
        inside(types, len(answer["strings"]))
    assert all(source < user for source, user in zip(uses["src"], uses["dst"], strict=True))
    assert all(-1 <= node < count for node, _, _ in answer["returns"])
    assert answer["modules"][0]["parent"] == -1


@pytest.mark.parametrize("seed", range(20))
def test_columns_say_what_the_document_says(seed: int) -> None:
    graph = random_graph(seed)
    answer = columns(graph)
    strings = answer.strings
    for i, node in enumerate(graph.nodes):
        assert (answer.nodes.name[i], OPS[answer.nodes.op[i]], strings[answer.nodes.target_s[i]]) == (
            node.name,
            node.op,
            node.target,
        )
        if answer.nodes.line[i] >= 0:
            used = [frame for frame in (graph.frames[j] for j in graph.stacks[node.stack]) if frame.user]
            assert answer.lines[answer.nodes.line[i]] == (used[-1].file, used[-1].line)
    found = zip(answer.edges.src, answer.edges.dst, (strings[i] for i in answer.edges.slot_s), strict=True)
    assert list(found) == [tuple(edge) for edge in edges(graph)]


def test_the_whole_answer_for_a_small_graph() -> None:
    nodes = (
        Node("p_w", "placeholder", "p_w", value=F32, placeholder=Placeholder("parameter", "lin.weight")),
        Node("x", "placeholder", "x", value=F32, placeholder=Placeholder("input", "x")),
        call("mm", "aten.mm.default", 1, 0, value=F32, module=0, stack=0),
        Node(
            "output",
            "output",
            "output",
            (Seq("tuple", (Ref(2), None)),),
            returns=(Output("user_output", 2), Output("other")),
        ),
    )
    frames = (Frame("m.py", 3, user=True), Frame("m.py", 7, user=True), Frame("torch/nn/linear.py", 125))
    graph = sound(Graph("t2.export.0", "Net", 0, nodes, frames, ((0, 1, 2),), stacks("lin")))
    assert msgspec.to_builtins(columns(graph)) == {
        "id": "t2.export.0",
        "title": "Net",
        "stage": "export",
        "target": "t2",
        "fragment": 0,
        "inference": False,
        "parent": "",
        "strings": ["p_w", "x", "aten.mm.default", "output", "lin.weight", "mm", "f32[2, 3]", "", "f32", "0", "1", "0[0]"],
        "nodes": {
            "name": ["p_w", "x", "mm", "output"],
            "op": [0, 0, 2, 5],
            "target_s": [0, 1, 2, 3],
            "label_s": [4, 1, 5, 3],
            "kind": [1, 0, 5, 4],
            "type_s": [6, 6, 6, 7],
            "module": (-1, -1, 1, -1),
            "group": (1, 0, 1, 0),
            "line": [-1, -1, 0, -1],
            "chip": [1, 0, 0, 0],
            "backward": [0, 0, 0, 0],
            "call": [-1, -1, -1, -1],
            "dtype_s": [8, 8, 8, 7],
            "bytes": [24, 24, 24, -1],
            "core": [-1, -1, 0, -1],
            "tag_s": [7, 7, 7, 7],
            "original_s": [7, 7, 7, 7],
        },
        "kinds": columns(graph).kinds,
        "modules": ({"path": "", "cls": "Root", "parent": -1}, {"path": "lin", "cls": "M", "parent": 0}),
        "calls": (),
        "lines": [("m.py", 7)],
        "edges": {"src": [1, 0, 2], "dst": [2, 2, 3], "slot_s": [9, 10, 11], "output": [0, 0, 0]},
        "bodies": [],
        "outputs": [],
        "returns": [(2, "user_output", ""), (-1, "other", "")],
        "repeats": [],
    }


def chips(*nodes: Node) -> dict[str, int]:
    answer: Columns = columns(sound(Graph("export.0", "g", 0, nodes)))
    return dict(zip(answer.nodes.name, answer.nodes.chip, strict=True))


@pytest.mark.parametrize("kind", ["parameter", "buffer", "constant", "input", "saved", "tangent"])
def test_only_parameters_buffers_and_constants_with_users_fold(kind: str) -> None:
    folds = int(kind in ("parameter", "buffer", "constant"))
    used = Node("used", "placeholder", "used", placeholder=Placeholder(kind, "used"))  # type: ignore[arg-type]
    idle = Node("idle", "placeholder", "idle", placeholder=Placeholder(kind, "idle"))  # type: ignore[arg-type]
    out = Node("output", "output", "output", (Ref(1), Ref(2)))
    assert chips(used, idle, call("n", "aten.relu.default", 0), out) == {"used": folds, "idle": 0, "n": 0, "output": 0}


PAIR = Tuple("tuple", (F32, Scalar("NoneType", "None")))


def taken(item: object, value: Meta | None = PAIR, target: str = "_operator.getitem") -> tuple[list[int], object]:
    """The output that every edge around a `getitem` carries, and the types where there are several."""
    nodes = (
        Node("x", "placeholder", "x", value=F32, placeholder=Placeholder("input", "x")),
        call("pair", "aten.topk.default", 0, value=value),
        Node("taken", "call_function", target, (Ref(1), item), value=F32),  # type: ignore[arg-type]
        call("both", "higher_order.f", 1, 2),
    )
    answer = columns(sound(Graph("export.0", "g", 0, nodes)))
    return answer.edges.output, [[answer.strings[text] for text in types] for _, types in answer.outputs]


def test_an_edge_says_which_of_several_outputs_it_carries() -> None:
    types = [["f32[2, 3]", "None"]]
    assert taken(1) == ([0, 1, -1, 0], types)
    assert taken(-1) == ([0, 1, -1, 0], types)
    assert taken(-2) == ([0, 0, -1, 0], types)


@pytest.mark.parametrize("item", [2, -3, "key", Seq("slice", (None, 1, None)), True])
def test_what_takes_no_single_output_carries_the_whole(item: object) -> None:
    assert taken(item)[0] == [0, -1, -1, 0]


def test_an_item_of_a_tensor_is_no_output_of_it() -> None:
    assert taken(1, F32) == ([0, 0, 0, 0], [])
    assert taken(1, None) == ([0, 0, 0, 0], [])


def test_only_getitem_takes_an_output() -> None:
    assert taken(1, target="aten.select.int")[0] == [0, -1, -1, 0]


def test_the_fetching_of_a_body_folds_into_what_runs_it() -> None:
    body = Graph("export.0/true_graph_0", "body", 0, (), parent="export.0")
    fetch = Node("true_graph_0", "get_attr", "true_graph_0")
    cond = Node("cond", "call_function", "higher_order.cond", (Ref(0), GraphRef(body.id, "true_graph_0")), bodies=(body.id,))
    answer = columns(sound(Graph("export.0", "g", 0, (fetch, cond)), body))
    assert answer.nodes.chip == [1, 0]


def test_bodies_are_listed_once_each() -> None:
    body = Graph("export.0/true_graph_0", "body", 0, (), parent="export.0")
    cond = Node(
        "cond", "call_function", "cond", (GraphRef(body.id, "t"), Seq("list", (GraphRef(body.id, "f"),))), bodies=(body.id,)
    )
    assert columns(sound(Graph("export.0", "g", 0, (cond,)), body)).bodies == [(0, body.id)]
