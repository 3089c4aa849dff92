from __future__ import annotations

import pytest
from handmade_graphs import F32, call

from graphcap.analyses.looking.decomposed import Call, calls
from graphcap.analyses.looking.measures import core, dtype, value_bytes
from graphcap.graph.document import Meta, Node, Origin, Placeholder, Scalar, Source, TensorMeta, Tuple

I64 = TensorMeta("int64", (2,), (1,))


def exported(*names: str, torch_fn: str = "") -> Origin:
    return Origin(from_node=tuple(Source(name) for name in names), torch_fn=torch_fn)


def test_nodes_with_the_same_oldest_source_came_from_one_call() -> None:
    linear = exported("linear_in_between", "linear_3", torch_fn="linear_4: builtin_function_or_method.linear")
    nodes = [
        call("view", "aten.view.default", origin=linear),
        call("add", "aten.add.Tensor", origin=exported("add_in_between", "add")),
        call("addmm", "aten.addmm.default", origin=linear),
    ]
    assert calls(nodes) == ((Call("linear_3", "linear", False),), [0, -1, 0])


def test_backward_nodes_belong_to_the_call_they_differentiate_but_apart_from_it() -> None:
    source = "layer_norm_7: torch.nn.modules.normalization.LayerNorm"
    forward = Origin(from_node=(Source("layer_norm_7"),), source_fn=source, partitioner_tag="is_forward")
    backward = Origin(source_fn=source, partitioner_tag="is_backward", autograd_backward=True)
    nodes = [call(f"n{i}", "aten.mul.Tensor", origin=origin) for i, origin in enumerate([forward, backward] * 2)]
    found = calls(nodes)
    assert found.table == (Call("layer_norm_7", "layer_norm", False), Call("layer_norm_7", "layer_norm", True))
    assert found.call == [0, 1, 0, 1]


def test_a_renamed_call_keeps_what_it_called() -> None:
    origin = Origin(from_node=(Source("y"),), source_fn="scaled_dot_product_attention_2: torch._C._nn.x")
    nodes = [call(name, "aten.mul.Tensor", origin=origin) for name in "ab"]
    assert calls(nodes).table == (Call("y", "scaled_dot_product_attention", False),)


def test_a_name_alone_says_what_was_called() -> None:
    nodes = [call(name, "aten.mul.Tensor", origin=exported("gelu_12")) for name in "ab"]
    assert calls(nodes).table == (Call("gelu_12", "gelu", False),)


def test_without_facts_nothing_is_concluded() -> None:
    accumulation = Origin(seq_nr=5, original_aten="aten.add.Tensor", partitioner_tag="is_backward", autograd_backward=True)
    given = Node("w", "placeholder", "w", placeholder=Placeholder("parameter"), origin=exported("linear"))
    nodes = [
        given,
        given,
        call("a", "aten.add.Tensor", origin=accumulation),
        call("b", "aten.add.Tensor", origin=accumulation),
    ]
    nodes += [call("c", "aten.mul.Tensor"), call("d", "aten.mul.Tensor")]
    assert calls(nodes) == ((), [-1] * 6)


@pytest.mark.parametrize(
    ("value", "name", "size"),
    [
        (None, "", -1),
        (Scalar("SymInt", "s0"), "", -1),
        (F32, "f32", 24),
        (TensorMeta("float32", ("s0", 3)), "f32", -1),
        (Tuple("tuple", (F32, F32, Scalar("NoneType", "None"))), "f32", 48),
        (Tuple("tuple", (F32, Tuple("list", (I64,)))), "several", 40),
        (Tuple("tuple", (F32, TensorMeta("float32", ("s0",)))), "f32", -1),
        (Tuple("tuple", ()), "", -1),
        (TensorMeta("float8_odd", (2,)), "float8_odd", -1),
    ],
)
def test_dtype_and_bytes_of_a_value(value: Meta | None, name: str, size: int) -> None:
    assert (dtype(value), value_bytes(value)) == (name, size)


def test_core_is_torchs_own_tag_of_an_operator() -> None:
    assert core(call("a", "aten.add.Tensor", tags=("core", "pointwise"))) == 1
    assert core(call("a", "aten.linear.default")) == 0
    assert core(call("a", "mine.op.default")) == 0
    for target in ("operator.getitem", "torch.nn.functional.relu", "torch._C._nn.linear", "higher_order.cond"):
        assert core(call("a", target, tags=("core",))) == -1
    assert core(Node("x", "placeholder", "x")) == -1
    assert core(Node("m", "call_method", "a.b.c")) == -1
