from __future__ import annotations

import pytest
from handmade_graphs import F32, call

from graphcap.analyses.kinds import KINDS, PLACEHOLDERS, kind, operator_kind
from graphcap.analyses.operators import FIRST, LATER, NAMES
from graphcap.graph.document import GraphRef, Node, Placeholder, Scalar, TensorMeta


def test_every_table_uses_only_known_kinds() -> None:
    assert {name for name, _ in (*FIRST, *LATER)} | set(NAMES.values()) | set(PLACEHOLDERS.values()) <= set(KINDS)


@pytest.mark.parametrize(
    ("target", "tags", "expected"),
    [
        ("aten.mm.default", ("core",), "matmul"),
        ("aten.addmm.default", (), "matmul"),
        ("aten._weight_int8pack_mm.default", (), "matmul"),
        ("torch._C._nn.linear", (), "matmul"),
        ("torch._C._nn.scaled_dot_product_attention", (), "matmul"),
        ("aten._scaled_dot_product_flash_attention_for_cpu.default", ("nondeterministic_seeded",), "matmul"),
        ("operator.matmul", (), "matmul"),
        ("torch.einsum", (), "matmul"),
        ("aten.upsample_bilinear2d.vec", (), "other"),
        ("aten.convolution.default", (), "conv"),
        ("aten.convolution_backward.default", (), "conv"),
        ("torch.conv2d", (), "conv"),
        ("aten.relu.default", ("pointwise",), "pointwise"),
        ("aten.add_.Tensor", ("pointwise", "inplace"), "pointwise"),
        ("torch.nn.functional.relu", (), "pointwise"),
        ("operator.iadd", (), "pointwise"),
        ("operator.and_", (), "pointwise"),
        ("aten.maximum.default", (), "pointwise"),
        ("aten.max.other", ("pointwise",), "pointwise"),
        ("aten.max.dim", ("reduction",), "reduction"),
        ("aten.sum.dim_IntList", (), "reduction"),
        ("aten.hardtanh_backward.default", (), "pointwise"),
        ("aten.native_layer_norm_backward.default", (), "reduction"),
        ("aten._softmax_backward_data.default", (), "reduction"),
        ("torch.nn.functional.cross_entropy", (), "reduction"),
        ("aten.max_pool2d_with_indices.default", (), "reduction"),
        ("aten.view.default", ("view",), "view"),
        ("aten.permute.default", (), "view"),
        ("operator.getitem", (), "view"),
        ("aten.to.dtype", ("view",), "pointwise"),
        ("aten._to_copy.default", (), "pointwise"),
        ("aten.bernoulli.p", ("nondeterministic_seeded",), "random"),
        ("torch.rand", (), "random"),
        ("torch.nn.functional.dropout", (), "random"),
        ("aten.sym_size.int", (), "symbolic"),
        ("aten._assert_scalar.default", (), "symbolic"),
        ("torch.ops.higher_order.some_new_one", (), "higher-order"),
        ("cond", ("hop",), "higher-order"),
        ("aten.embedding.default", (), "other"),
        ("aten.cat.default", (), "other"),
        ("mylib.twice.default", (), "other"),
        ("mylib.twice.default", ("pointwise",), "pointwise"),
    ],
)
def test_operators(target: str, tags: tuple[str, ...], expected: str) -> None:
    assert kind(call("n", target, tags=tags, value=F32)) == expected


@pytest.mark.parametrize(
    ("method", "expected"), [("view", "view"), ("add_", "pointwise"), ("mean", "reduction"), ("size", "symbolic")]
)
def test_methods(method: str, expected: str) -> None:
    assert kind(Node("n", "call_method", method)) == expected


def test_arithmetic_on_sizes_is_symbolic_and_on_tensors_pointwise() -> None:
    assert kind(call("n", "operator.mul", value=Scalar("SymInt", "2*s0"))) == "symbolic"
    assert kind(call("n", "operator.mul", value=TensorMeta("float32", ()))) == "pointwise"


@pytest.mark.parametrize("placeholder", sorted(PLACEHOLDERS))
def test_placeholders(placeholder: str) -> None:
    fact = Placeholder(placeholder, "x")  # type: ignore[arg-type]
    expected = (
        placeholder
        if placeholder in ("parameter", "buffer", "constant")
        else "symbolic"
        if placeholder == "symint"
        else "input"
    )
    assert kind(Node("n", "placeholder", "n", placeholder=fact)) == expected
    assert kind(Node("n", "get_attr", "n", placeholder=fact)) == expected


def test_the_rest() -> None:
    assert kind(Node("n", "placeholder", "n")) == "input"
    assert kind(Node("n", "output", "output")) == "output"
    assert kind(Node("n", "get_attr", "c", value=F32)) == "constant"
    assert kind(Node("n", "get_attr", "true_graph_0")) == "higher-order"
    assert kind(Node("n", "call_function", "anything", (GraphRef("export.0/b", "b"),))) == "higher-order"
    assert kind(Node("n", "call_module", "seq.0")) == "other"


def test_private_in_place_and_backward_forms_are_of_the_kind_of_their_operator() -> None:
    for name in ("relu", "relu_", "threshold_backward", "special_exp2", "_foreach_add_", "__and__"):
        assert operator_kind(name) == "pointwise", name
