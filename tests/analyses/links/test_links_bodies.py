"""Bodies of higher-order ops: each linked with the body of the linked op, or with what it was inlined into."""

from __future__ import annotations

import msgspec
import pytest

from graphcap.graph.document import Graph, Node, Ref, Source
from tests.analyses.links.linked_graphs import (
    FC,
    LINEAR,
    ROOT,
    SIN,
    backward,
    call,
    end,
    exact,
    forward,
    given,
    graph,
    links,
    made,
)


def runs(name: str, target: str, *bodies: str) -> Node:
    return Node(name, "call_function", target, (Ref(0),), bodies=bodies)


def body(gid: str, parent: str, *nodes: Node) -> Graph:
    inputs = Node("a", "placeholder", "a") if parent.startswith(("export", "core")) else Node("arg0_1", "placeholder", "a")
    return graph(gid, inputs, *nodes, end(len(nodes)), parent=parent)


X = given("x", "input", "x")
COND = "torch.ops.higher_order.cond"
EXPORT = graph(
    "export.0", X, call("sin", "aten.sin.default", 0, at=(SIN, ROOT)), runs("cond", COND, "export.0/t", "export.0/f")
)
E_TRUE = body("export.0/t", "export.0", call("sin", "aten.sin.default", 0, at=(LINEAR, FC)))
E_FALSE = body("export.0/f", "export.0", call("sin", "aten.sin.default", 0, at=(LINEAR, ROOT)))
CORE = graph(
    "core_aten.0",
    X,
    call("sin", "aten.sin.default", 0, at=(SIN, ROOT), origin=made("sin", of=1)),
    msgspec.structs.replace(runs("cond", COND, "core_aten.0/t", "core_aten.0/f"), origin=made("cond", of=1)),
)
C_TRUE = body("core_aten.0/t", "core_aten.0", call("sin", "aten.sin.default", 0, at=(LINEAR, FC), origin=made("sin", of=2)))
C_FALSE = body(
    "core_aten.0/f", "core_aten.0", call("sin", "aten.sin.default", 0, at=(LINEAR, ROOT), origin=made("sin", of=3))
)
ALL = (EXPORT, E_TRUE, E_FALSE, CORE, C_TRUE, C_FALSE)


@pytest.mark.parametrize(("a", "b"), [(EXPORT, CORE), (E_TRUE, C_TRUE), (E_FALSE, C_FALSE)], ids=lambda g: g.id)
def test_a_name_is_sought_in_the_body_it_was_recorded_in(a: Graph, b: Graph) -> None:
    assert ("sin", "sin", "from_node") in exact(a, b, *ALL)


@pytest.mark.parametrize(("a", "b"), [(E_TRUE, C_FALSE), (E_FALSE, C_TRUE)], ids=lambda g: g.id)
def test_another_body_has_other_nodes(a: Graph, b: Graph) -> None:
    assert not exact(a, b, *ALL)


def test_an_op_is_linked_with_what_its_bodies_became() -> None:
    assert exact(EXPORT, C_TRUE, *ALL) == {("cond", "sin", "from_node")}
    assert ("cond", "cond", "from_node") in exact(EXPORT, CORE, *ALL)


def test_a_call_in_a_body_belongs_to_what_its_op_is_linked_with() -> None:
    assert exact(E_TRUE, CORE, *ALL) == {("sin", "cond", "body+from_node")}
    assert exact(CORE, E_TRUE, *ALL) == {("cond", "sin", "body+from_node")}
    assert exact(EXPORT, E_TRUE, *ALL) == {("cond", "sin", "body")}
    assert not exact(E_TRUE, C_FALSE, *ALL)


def test_the_inputs_of_linked_bodies_are_linked_by_position() -> None:
    assert (0, 0, "position") in links(E_TRUE, C_TRUE, *ALL).exact
    assert (2, 2, "name") in links(E_TRUE, C_TRUE, *ALL).exact
    assert not any(evidence == "position" for _, _, evidence in links(E_TRUE, C_FALSE, *ALL).exact)


def test_bodies_alike_to_the_line_come_in_the_order_in_which_they_run() -> None:
    """Two calls of one checkpointed function, inlined: only the ids of their graphs tell them apart."""
    wraps = (
        runs("wrap", "torch.ops.higher_order.w", "dynamo.0/w0"),
        runs("wrap_1", "torch.ops.higher_order.w", "dynamo.0/w1"),
    )
    dynamo = graph("dynamo.0", X, *wraps, end(2))
    first = body("dynamo.0/w0", "dynamo.0", call("sin", "torch.sin", 0, at=(SIN, ROOT)))
    second = body("dynamo.0/w1", "dynamo.0", call("sin", "torch.sin", 0, at=(SIN, ROOT)))
    nodes = (
        call("sin", "aten.sin.default", 0, at=(SIN, ROOT), origin=made("sin", of=5)),
        call("sin_1", "aten.sin.default", 1, at=(SIN, ROOT), origin=made("sin", of=6)),
    )
    joint = graph("joint.0", X, *nodes, end(2))
    everything = (dynamo, first, second, joint)
    assert exact(first, joint, *everything) == {("sin", "sin", "from_node")}
    assert exact(second, joint, *everything) == {("sin", "sin_1", "from_node")}
    assert exact(dynamo, joint, *everything) == {("wrap", "sin", "from_node"), ("wrap_1", "sin_1", "from_node")}
    third = graph("joint.0", X, *nodes, call("sin_2", "aten.sin.default", 2, origin=made("sin", of=9)), end(3))
    assert "sin_2" not in {name for _, name, _ in exact(dynamo, third, first, second)}


def test_an_inlined_body_without_sources_is_linked_by_operator_where_only_one_fits() -> None:
    body_ = body(
        "export.0/w",
        "export.0",
        call("mv", "aten.mv.default", 0),
        call("neg", "aten.neg.default", 1),
        call("neg_1", "aten.neg.default", 2),
    )
    export = graph("export.0", X, runs("wrap", "torch.ops.higher_order.w", body_.id), end(1))
    origin = {name: msgspec.structs.replace(made("wrap"), original_aten=f"aten.{name}.default") for name in ("mv", "neg")}
    core = graph(
        "core_aten.0",
        X,
        call("mul", "aten.mul.Tensor", 0, origin=origin["mv"]),
        call("sum_1", "aten.sum.dim_IntList", 1, origin=origin["mv"]),
        call("neg", "aten.neg.default", 2, origin=origin["neg"]),
        end(3),
    )
    found = exact(body_, core, export)
    assert {link for link in found if link[0] == "mv"} == {("mv", "mul", "original_aten"), ("mv", "sum_1", "original_aten")}
    assert {evidence for x, _, evidence in found if x != "mv"} == {"body+from_node"}


def test_what_autograd_traced_for_a_backward_body_came_from_a_graph_nobody_sees() -> None:
    dynamo = graph("dynamo.0", X, call("sin", "torch.sin", 0), runs("cond", COND, "dynamo.0/t"), end(2))
    inner = body("dynamo.0/t", "dynamo.0", call("sin", "torch.sin", 0))
    seen = msgspec.structs.replace(made("sin", of=50), autograd_backward=True)
    again = body("joint.0/t1", "joint.0", call("sin", "aten.sin.default", 0, origin=seen))
    joint = graph("joint.0", X, runs("cond_1", COND, "joint.0/t1"), end(1))
    assert not exact(dynamo, again, inner, joint)
    assert not exact(inner, again, dynamo, joint)


def test_bodies_of_both_halves_are_linked_by_name_and_by_number() -> None:
    source = "linear: Linear"
    fw = body("forward.0/p", "forward.0", call("mm", "aten.mm.default", 0, origin=forward("y", 3, source)))
    same = body("joint.0/p", "joint.0", *fw.nodes[1:2])
    bw = body("backward.0/q", "backward.0", call("mm_1", "aten.mm.default", 0, origin=backward(3, source)))
    tops = (graph("forward.0", X, end(0)), graph("joint.0", X, end(0)), graph("backward.0", X, end(0)))
    assert exact(same, fw, *tops) == {("mm", "mm", "name")}
    assert exact(fw, bw, *tops) == {("mm", "mm_1", "seq_nr")}
    assert not exact(body("joint.0/other", "joint.0", *fw.nodes[1:2]), fw, *tops)


def test_a_backward_that_computes_alike_bodies_again_does_so_from_the_last_to_the_first() -> None:
    wraps = (runs("wrap", "higher_order.w.x", "dynamo.0/w0"), runs("wrap_1", "higher_order.w.x", "dynamo.0/w1"))
    dynamo = graph("dynamo.0", X, *wraps, end(2))
    first, second = (body(f"dynamo.0/w{k}", "dynamo.0", call("sin", "torch.sin", 0, at=(SIN, ROOT))) for k in range(2))
    nodes = [
        call(name, "aten.sin.default", 0, at=(SIN, ROOT), origin=made("sin", of=of))
        for name, of in (("sin", 5), ("sin_1", 6))
    ]
    joint = graph("joint.0", X, *nodes, end(2))
    again = graph("backward.0", X, *reversed(nodes), end(2))
    everything = (dynamo, first, second, joint, again)
    assert exact(first, again, *everything) == {("sin", "sin", "from_node")}
    assert exact(second, again, *everything) == {("sin", "sin_1", "from_node")}
    assert exact(dynamo, again, *everything) == {("wrap", "sin", "from_node"), ("wrap_1", "sin_1", "from_node")}


def test_a_top_graph_is_told_from_its_bodies_by_the_pass() -> None:
    """An op may be called like a node of its body, and the body inlined."""
    export = graph("export.0", X, runs("sin", "higher_order.w.x", "export.0/w"), end(1))
    inside = body("export.0/w", "export.0", call("sin", "aten.sin.default", 0))
    origin = msgspec.structs.replace(
        made("sin"), from_node=(Source("sin", "Interpreter_PropagateUnbackedSymInts", "create", 7),)
    )
    core = graph("core_aten.0", X, call("sin", "aten.sin.default", 0, origin=origin), end(1))
    assert exact(export, core, inside) == {("sin", "sin", "from_node")}
    assert exact(inside, core, export) == {("sin", "sin", "body+from_node")}
