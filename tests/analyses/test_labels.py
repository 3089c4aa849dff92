from __future__ import annotations

import pytest
from handmade_graphs import F32, call

from graphcap.analyses.labels import label, op_name, type_text
from graphcap.graph.document import Meta, Node, Placeholder, Ref, Scalar, TensorMeta, Tuple


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("aten.sum.dim_IntList", "sum"),
        ("torch.ops.aten.sum.dim_IntList", "sum"),
        ("aten.add_.Tensor", "add_"),
        ("prims.convert_element_type.default", "convert_element_type"),
        ("mylib.twice.default", "twice"),
        ("torch.ops.mylib.twice.default", "twice"),
        ("aten.sum", "sum"),
        ("torch._C._nn.linear", "linear"),
        ("torch.nn.functional.layer_norm", "layer_norm"),
        ("torch.Tensor.view", "view"),
        ("torch.sin", "sin"),
        ("operator.add", "add"),
        ("_operator.iadd", "iadd"),
        ("torch.ops.higher_order.cond", "cond"),
        ("cond", "cond"),
    ],
)
def test_the_short_name_of_a_function(target: str, name: str) -> None:
    assert op_name(call("n", target)) == name


def test_an_overload_of_a_namespace_called_like_a_python_module_is_known_by_its_schema() -> None:
    assert op_name(call("n", "torch.twice.default", schema=0)) == "twice"


def test_labels() -> None:
    assert label(Node("output", "output", "output")) == "output"
    assert label(Node("p_w", "placeholder", "p_w", placeholder=Placeholder("parameter", "seq.0.weight"))) == "seq.0.weight"
    assert label(Node("x", "placeholder", "x_target")) == "x"
    assert label(Node("c", "get_attr", "seq._tensor")) == "seq._tensor"
    assert label(Node("v", "call_method", "view", (Ref(0), -1))) == "view"
    assert label(Node("m", "call_module", "seq.0")) == "seq.0"
    assert label(Node("g", "call_function", "operator.getitem", (Ref(0), 1))) == "getitem[1]"
    assert label(Node("g", "call_function", "operator.getitem", (Ref(0), None))) == "getitem"
    assert label(Node("g", "call_function", "operator.getitem", (Ref(0), True))) == "getitem"


I64 = TensorMeta("int64", ())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (F32, "f32[2, 3]"),
        (TensorMeta("float32", (2, "s0", "2*s0 + 1")), "f32[2, s0, 2*s0 + 1]"),
        (I64, "i64[]"),
        (TensorMeta("bool", (0,)), "b8[0]"),
        (TensorMeta("qint8", (4,)), "qint8[4]"),
        (Tuple("tuple", (F32, I64)), "(f32[2, 3], i64[])"),
        (Tuple("tuple", (F32,)), "(f32[2, 3],)"),
        (Tuple("list", (F32,)), "[f32[2, 3]]"),
        (Tuple("tuple", ()), "()"),
        (Tuple("tuple", (F32, Tuple("list", (I64, Scalar("NoneType", "None"))))), "(f32[2, 3], [i64[], None])"),
        (Tuple("tuple", (I64,) * 4), "(i64[], i64[], i64[], i64[])"),
        (Tuple("tuple", (I64,) * 9), "(i64[], i64[], i64[], +6)"),
        (Scalar("SymInt", "s0"), "sym(s0)"),
        (Scalar("SymBool", "s" * 99), "sym"),
        (Scalar("int", "3"), "int(3)"),
        (Scalar("NoneType", "None"), "None"),
        (Scalar("ScriptObject", ""), "ScriptObject"),
    ],
)
def test_types(value: Meta | None, text: str) -> None:
    assert type_text(value) == text
