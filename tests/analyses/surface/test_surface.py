from __future__ import annotations

import msgspec
import pytest

from graphcap.analyses.surface import reasons
from graphcap.analyses.surface.surface import Surface, TargetOperators, surface
from graphcap.graph.document import Graph, Node
from tests.analyses.links.linked_graphs import MODEL, call, end, given, graph, made, shelf

X = given("x", "input", "x")


def tagged(name: str, target: str, *tags: str, bodies: tuple[str, ...] = (), from_: str = "") -> Node:
    origin = made(from_) if from_ else None
    return Node(name, "call_function", target, tags=tags, bodies=bodies, origin=origin)


def of(*graphs: Graph) -> TargetOperators:
    found = surface(["t1"], shelf(*graphs))
    assert found == msgspec.json.decode(msgspec.json.encode(found), type=Surface)
    return found.targets[0]


def counts(found: TargetOperators, stage: str) -> dict[str, int]:
    operators = next(each.operators for each in found.stages if each.id == stage)
    return {each.op: each.count for each in operators}


def test_every_stage_that_has_a_graph_is_counted() -> None:
    found = of(*MODEL)
    assert [stage.id for stage in found.stages] == ["eager", "dynamo", "export", "core_aten", "joint"]
    assert counts(found, "dynamo") == {"operator.gt": 1, "torch._C._nn.linear": 1, "torch.sin": 1}
    assert counts(found, "joint")["aten.mm.default"] == 2
    assert next(iter(counts(found, "joint"))) == "aten.mm.default"


def test_fragments_and_bodies_count_but_not_unpacking_recompiles_and_second_attempts() -> None:
    once = call("sin", "aten.sin.default", 0)
    item = call("getitem", "operator.getitem", 0)
    graphs = [graph(gid, X, once, item, end(1)) for gid in ("joint.0", "joint.1", "joint.0.r1", "t2.joint.0")]
    body = graph("joint.0/true_graph_0", X, once, parent="joint.0")
    stage = of(*graphs, body).stages[0]
    assert (stage.graphs, stage.calls, stage.distinct) == (("joint.0", "joint.1", "joint.0/true_graph_0"), 3, 1)


def test_where_export_refused_the_first_other_attempt_is_counted() -> None:
    attempts = [graph(f"export.0.{how}", X, call("sin", "aten.sin.default", 0)) for how in ("strict", "draft")]
    assert of(*attempts).stages[0].graphs == ("export.0.strict",)


def test_what_is_core_and_what_is_no_operator() -> None:
    nodes = (
        tagged("add", "aten.add.Tensor", "core", "pointwise"),
        tagged("t", "aten.t.default", "view"),
        tagged("mul", "operator.mul"),
        tagged("cond", "torch.ops.higher_order.cond", "hop"),
    )
    found = of(graph("core_aten.0", *nodes), graph("export.0", *nodes))
    for stage in found.stages:
        assert {each.op: each.core for each in stage.operators} == {
            "aten.add.Tensor": True,
            "aten.t.default": False,
            "operator.mul": None,
            "torch.ops.higher_order.cond": False,
        }
        assert (stage.core, stage.other) == (1, 2)
        assert all(bool(each.why) == (stage.id == "core_aten" and each.core is False) for each in stage.operators)


@pytest.mark.parametrize(
    ("target", "tags", "why"),
    [
        ("aten._assert_scalar.default", (), reasons.ASSERT),
        ("aten._assert_tensor_metadata.default", (), reasons.ASSERT),
        ("aten.sym_constrain_range_for_size.default", (), reasons.ASSERT),
        ("aten.quantize_per_tensor.default", (), reasons.QUANTIZED),
        ("quantized_decomposed.add.default", (), reasons.QUANTIZED),
        ("aten._sparse_addmm.default", (), reasons.SPARSE),
        ("prims.iota.default", (), reasons.PRIM),
        ("mylib.scale.default", (), reasons.CUSTOM),
        ("aten.rand_like.default", ("nondeterministic_seeded",), reasons.RANDOM),
        ("aten.masked_select.default", ("dynamic_output_shape",), reasons.DYNAMIC),
        ("aten.unfold.default", ("view",), reasons.VIEW),
        ("aten.linalg_vector_norm.default", ("reduction",), reasons.OTHER),
        ("torch.ops.higher_order.scan", ("hop",), reasons.HIGHER_ORDER),
    ],
)
def test_why_it_matters(target: str, tags: tuple[str, ...], why: str) -> None:
    (stage,) = of(graph("core_aten.0", tagged("n", target, *tags))).stages
    assert [each.why for each in stage.operators] == [why]


def test_which_operator_became_which() -> None:
    found = {each.op: each for each in of(*MODEL).became}
    assert {each.op: each.count for each in found["aten.linear.default"].into} == {
        "aten.mm.default": 1,
        "aten.permute.default": 1,
    }
    assert [(each.op, each.count) for each in found["aten.sin.default"].into] == [("aten.sin.default", 1)]
    assert not of(*(each for each in MODEL if each.id != "core_aten.0")).became


def test_what_left_nothing_is_gone() -> None:
    nodes = [call(f"dropout{i}", "aten.dropout.default", 0) for i in range(3)]
    (dropout,) = of(graph("export.0", X, *nodes), graph("core_aten.0", X)).became
    assert (dropout.count, dropout.gone, dropout.inlined, dropout.into) == (3, 3, 0, ())


def test_a_body_is_compared_with_its_own_and_an_inlined_one_with_its_op() -> None:
    export = graph(
        "export.0",
        tagged("cond", "higher_order.cond.x", "hop", bodies=("export.0/t",)),
        tagged("wrap", "higher_order.wrap.x", "hop", bodies=("export.0/w",)),
    )
    inside = graph("export.0/t", tagged("tanh", "aten.tanh.default"), parent="export.0")
    wrapped = graph("export.0/w", tagged("mv", "aten.mv.default"), parent="export.0")
    core = graph(
        "core_aten.0",
        tagged("cond", "higher_order.cond.x", "hop", bodies=("core_aten.0/t",), from_="cond"),
        tagged("mul", "aten.mul.Tensor", from_="wrap"),
        tagged("sum_1", "aten.sum.dim_IntList", from_="wrap"),
    )
    origin = made("tanh", of=70)
    body = graph(
        "core_aten.0/t",
        msgspec.structs.replace(tagged("tanh", "aten.tanh.default"), origin=origin),
        parent="core_aten.0",
    )
    found = {each.op: each for each in of(export, inside, wrapped, core, body).became}
    assert [each.op for each in found["higher_order.cond.x"].into] == ["higher_order.cond.x"]
    assert [each.op for each in found["higher_order.wrap.x"].into] == ["aten.mul.Tensor", "aten.sum.dim_IntList"]
    assert [each.op for each in found["aten.tanh.default"].into] == ["aten.tanh.default"]
    assert (found["aten.mv.default"].gone, found["aten.mv.default"].inlined) == (0, 1)


def test_targets_are_apart() -> None:
    second = graph("t2.joint.0", X, call("sin", "aten.sin.default", 0))
    found = surface(["t1", "t2", "t3"], shelf(*MODEL, second)).targets
    assert [target.id for target in found] == ["t1", "t2", "t3"]
    assert counts(found[1], "joint") == {"aten.sin.default": 1}
    assert (found[2].stages, found[2].became) == ((), ())
