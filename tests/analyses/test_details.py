from __future__ import annotations

from typing import Any

import msgspec
import pytest
from handmade_graphs import F32, call, random_graph, sound, stacks

from graphcap.analyses.details import details, every_details, node_index
from graphcap.analyses.tensor_bytes import tensor_bytes
from graphcap.graph.document import (
    Arg,
    Atom,
    Cut,
    Frame,
    Graph,
    GraphRef,
    Map,
    Node,
    OpSchema,
    Origin,
    Output,
    Placeholder,
    Ref,
    Scalar,
    Seq,
    Statistics,
    TensorMeta,
    Tuple,
)
from graphcap.graph.edges import edges


def answer(graph: Graph, name: str) -> dict[str, Any]:
    index = node_index(graph, name)
    assert index is not None
    return msgspec.json.decode(msgspec.json.encode(details(graph, index)))  # type: ignore[no-any-return]


def net() -> Graph:
    nodes = (
        Node("p_w", "placeholder", "p_w", value=F32, placeholder=Placeholder("parameter", "lin.weight")),
        Node(
            "sum_1",
            "call_function",
            "aten.sum.dim_IntList",
            (Ref(0), Seq("list", (-1,))),
            (("keepdim", True),),
            value=TensorMeta("float32", (2, "s0"), (1, 1), requires_grad=True),
            stack=0,
            module=0,
            origin=Origin(seq_nr=3),
            tags=("core", "reduction"),
            schema=0,
        ),
        Node(
            "output",
            "output",
            "output",
            (Seq("tuple", (Ref(1), Ref(1))),),
            returns=(Output("user_output", 1), Output("loss", 1, "x")),
        ),
    )
    frames = (Frame("m.py", 3, "forward", "x.sum(-1)", True),)
    schemas = (OpSchema("sum.dim_IntList(Tensor self, int[1]? dim) -> Tensor", ("self", "dim", "keepdim"), "Adds."),)
    return sound(Graph("export.0", "g", 0, nodes, frames, ((0,),), stacks("lin"), schemas))


def test_a_call() -> None:
    found = answer(net(), "sum_1")
    assert found == {
        "name": "sum_1",
        "index": 1,
        "op": "call_function",
        "target": "aten.sum.dim_IntList",
        "label": "sum",
        "kind": "reduction",
        "type": "f32[2, s0]",
        "schema": "sum.dim_IntList(Tensor self, int[1]? dim) -> Tensor",
        "doc": "Adds.",
        "args": [
            {"name": "self", "text": "p_w", "refs": ["p_w"]},
            {"name": "dim", "text": "[-1]", "refs": []},
            {"name": "keepdim", "text": "True", "refs": []},
        ],
        "outputs": [
            {
                "type": "f32[2, s0]",
                "dtype": "float32",
                "shape": [2, "s0"],
                "stride": [1, 1],
                "device": "cpu",
                "layout": "strided",
                "requires_grad": True,
                "bytes": None,
            }
        ],
        "modules": [{"path": "", "cls": "Root"}, {"path": "lin", "cls": "M"}],
        "frames": [{"file": "m.py", "line": 3, "function": "forward", "code": "x.sum(-1)", "user": True, "place": ""}],
        "origin": {"seq_nr": 3},
        "placeholder": None,
        "returns": [],
        "bodies": [],
        "tags": ["core", "reduction"],
        "users": [{"name": "output", "slot": "0[0]"}, {"name": "output", "slot": "0[1]"}],
    }


def test_statistics_stand_with_every_field() -> None:
    whole = net()
    i = next(i for i, node in enumerate(whole.nodes) if node.name == "p_w")
    placeholder = Placeholder("parameter", "lin.weight", statistics=Statistics(6, -1.0, 2.0, 0.5, zeros=3))
    nodes = (*whole.nodes[:i], msgspec.structs.replace(whole.nodes[i], placeholder=placeholder), *whole.nodes[i + 1 :])
    assert answer(msgspec.structs.replace(whole, nodes=nodes), "p_w")["placeholder"]["statistics"] == {
        "count": 6,
        "min": -1.0,
        "max": 2.0,
        "mean": 0.5,
        "std": None,
        "zeros": 3,
        "nan": 0,
        "infinite": 0,
        "magnitudes": False,
        "reason": "",
    }


def test_a_parameter_and_the_output() -> None:
    own = {"kind": "parameter", "name": "lin.weight", "desc": "", "persistent": None, "statistics": None}
    assert answer(net(), "p_w")["placeholder"] == own
    assert answer(net(), "p_w")["outputs"][0]["bytes"] == 24
    assert answer(net(), "output")["returns"] == [
        {"kind": "user_output", "name": "", "desc": "", "node": "sum_1"},
        {"kind": "loss", "name": "x", "desc": "", "node": "sum_1"},
    ]


@pytest.mark.parametrize("shape", [(1 << 62, 1 << 62), (1 << 62,) * 500_000, (-1, 2)])
def test_a_forged_shape_has_no_size(shape: tuple[int, ...]) -> None:
    assert tensor_bytes(TensorMeta("float32", shape)) is None
    assert tensor_bytes(TensorMeta("float32", (*shape, 0))) == 0


def test_an_unknown_name() -> None:
    assert node_index(net(), "nobody") is None


@pytest.mark.parametrize(
    ("arg", "text", "refs"),
    [
        (None, "None", []),
        (True, "True", []),
        (-1, "-1", []),
        (1e-05, "1e-05", []),
        ("mean", "'mean'", []),
        (Ref(0), "p_w", ["p_w"]),
        (Atom("dtype", "torch.float32"), "torch.float32", []),
        (Seq("list", (Ref(0), 1, Ref(0))), "[p_w, 1, p_w]", ["p_w"]),
        (Seq("tuple", (1,)), "(1,)", []),
        (Seq("tuple", ()), "()", []),
        (Seq("slice", (None, 3, None)), "slice(None, 3, None)", []),
        (Map((("'a'", Ref(0)),)), "{'a': p_w}", ["p_w"]),
        (GraphRef("export.0/b", "true_graph_0"), "true_graph_0", []),
        (Cut("str", 90_000, "'abc"), "'abc… (str, 90000 long)", []),
    ],
)
def test_arguments_read_as_python_writes_them(arg: Arg, text: str, refs: list[str]) -> None:
    graph = net()
    nodes = (graph.nodes[0], Node("n", "call_function", "f", (arg,)))
    assert answer(msgspec.structs.replace(graph, nodes=nodes), "n")["args"] == [{"name": "0", "text": text, "refs": refs}]


def test_tuples_come_opened_and_in_order() -> None:
    value = Tuple(
        "tuple", (F32, Tuple("list", (Scalar("SymInt", "s0"), Scalar("NoneType", "None"))), TensorMeta("bool", ()))
    )
    found = answer(sound(Graph("export.0", "g", 0, (call("n", "f", value=value),))), "n")
    assert [output["type"] for output in found["outputs"]] == ["f32[2, 3]", "sym(s0)", "None", "b8[]"]
    assert found["outputs"][1] == {"type": "sym(s0)", "text": "s0"}


def test_the_type_of_a_long_tuple_is_whole_here() -> None:
    found = answer(sound(Graph("export.0", "g", 0, (call("n", "f", value=Tuple("tuple", (F32,) * 9)),))), "n")
    assert found["type"].count("f32[2, 3]") == 9


@pytest.mark.parametrize("seed", range(10))
def test_users_are_the_edges_that_leave_the_node(seed: int) -> None:
    graph = random_graph(seed)
    for i, node in enumerate(graph.nodes):
        assert [(user["name"], user["slot"]) for user in answer(graph, node.name)["users"]] == [
            (graph.nodes[edge.user].name, edge.slot) for edge in edges(graph) if edge.source == i
        ]


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (F32, 24),
        (TensorMeta("bfloat16", (3,)), 6),
        (TensorMeta("complex64", ()), 8),
        (TensorMeta("int64", (0, 5)), 0),
        (TensorMeta("qint8", (3,)), 3),
        (TensorMeta("quint4x2", (3,)), 2),
        (TensorMeta("float32", ("s0",)), None),
        (TensorMeta("float32", (3,), None, layout="sparse_coo"), None),
        (TensorMeta("a_new_dtype", (3,)), None),
    ],
)
def test_bytes(value: TensorMeta, size: int | None) -> None:
    assert tensor_bytes(value) == size


@pytest.mark.parametrize("seed", range(10))
def test_all_nodes_at_once_are_the_same_as_one_by_one(seed: int) -> None:
    graph = random_graph(seed)
    assert every_details(graph).nodes == tuple(details(graph, index) for index in range(len(graph.nodes)))
