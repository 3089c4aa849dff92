"""Exact links between the stages of one model by hand; every evidence, and what looks like evidence but is none."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import msgspec
import pytest

from graphcap.graph.document import Graph, Node, Origin, Placeholder
from tests.analyses.links.linked_graphs import (
    BACKWARD,
    CORE,
    DYNAMO,
    EAGER,
    EXPORT,
    FORWARD,
    JOINT,
    MODEL,
    READING,
    SAVING,
    backward,
    call,
    end,
    exact,
    given,
    graph,
    links,
    made,
)

KIN = {("mm", "mm_1", "seq_nr"), ("sin", "cos", "seq_nr"), ("sin", "mul", "seq_nr")}


def test_core_aten_comes_from_the_nodes_torch_names() -> None:
    assert exact(EXPORT, CORE) == {
        ("linear", "permute", "from_node"),
        ("linear", "mm", "from_node"),
        ("sin", "sin", "from_node"),
        ("gt", "gt", "from_node"),
    }
    assert links(EXPORT, CORE).unlinked.b == {"runtime assert": 1}


def test_inputs_and_parameters_are_linked_by_their_dotted_names() -> None:
    found = {(i, j) for i, j, evidence in links(EXPORT, DYNAMO).exact if evidence == "name"}
    assert found == {(0, 1), (1, 0), (5, 5)}
    twice = graph("export.0", given("a", "input", "x"), given("b", "input", "x"), end(0))
    assert links(twice, CORE).exact == [(2, 7, "name")]


def test_a_function_in_pieces_has_no_one_output() -> None:
    second = msgspec.structs.replace(DYNAMO, id="dynamo.1")
    assert (5, 5, "name") not in links(EXPORT, DYNAMO, second).exact
    assert (5, 5, "name") not in links(DYNAMO, second).exact


def test_the_joint_graph_comes_from_dynamo_and_its_backward_by_sequence_number() -> None:
    assert exact(DYNAMO, JOINT) == {
        ("y", "t", "from_node"),
        ("y", "mm", "from_node"),
        ("y", "mm_1", "from_node+seq_nr"),
        ("z", "sin", "from_node"),
        ("z", "cos", "from_node+seq_nr"),
        ("z", "mul", "from_node+seq_nr"),
        ("mask", "gt", "from_node"),
    }
    assert links(DYNAMO, JOINT).unlinked.b == {"gradient accumulation": 1, "tangent": 1}


def test_a_number_without_the_same_call_is_no_link() -> None:
    """The mask has the sine's number, and the sum of gradients that of whatever ran before."""
    assert exact(JOINT, JOINT) == KIN | {(b, a, evidence) for a, b, evidence in KIN}
    without = graph("joint.0", *JOINT.nodes[:6], call("neg", "aten.neg.default", 4, origin=backward(22)), end(6))
    assert exact(without, without) == set()


def test_both_halves_keep_the_names_of_the_joint_graph() -> None:
    for half in (FORWARD, BACKWARD, SAVING, READING):
        named = {x for x, y, evidence in exact(JOINT, half) if evidence == "name" and x == y}
        assert named == {node.name for node in half.nodes if node.name in {n.name for n in JOINT.nodes if "call" in n.op}}


def test_forward_and_backward_are_linked_by_what_is_saved_recomputed_and_differentiated() -> None:
    recomputed = {("t", "t", "name"), ("mm", "mm", "name")}
    assert exact(FORWARD, BACKWARD) == KIN | recomputed
    saved = ("mm", "mm", "name")  # an input there
    assert exact(SAVING, READING) == KIN | {saved}
    assert exact(FORWARD, READING) == KIN | {saved}


def test_the_variants_of_a_half_are_linked_by_name() -> None:
    assert {(x, y) for x, y, _ in exact(FORWARD, SAVING)} == {(name, name) for name in ("t", "mm", "sin", "gt")}


def test_a_name_that_another_node_was_given_is_no_link() -> None:
    other = call("sin", "aten.sin.default", 0, origin=Origin(seq_nr=40))
    assert not exact(JOINT, graph("forward.0", given("primals_1", "input", "x"), other, end(1)))
    unrecorded = call("sin", "aten.sin.default", 0)
    assert not exact(JOINT, graph("forward.0", given("primals_1", "input", "x"), unrecorded, end(1)))


def test_dynamo_reaches_both_halves_by_way_of_the_joint_graph() -> None:
    assert exact(DYNAMO, FORWARD, JOINT) == {
        ("y", "t", "from_node"),
        ("y", "mm", "from_node"),
        ("z", "sin", "from_node"),
        ("mask", "gt", "from_node"),
    }
    assert exact(DYNAMO, BACKWARD, JOINT) == {
        ("y", "t", "from_node"),
        ("y", "mm", "from_node"),
        ("y", "mm_1", "from_node+seq_nr+name"),
        ("z", "cos", "from_node+seq_nr+name"),
        ("z", "mul", "from_node+seq_nr+name"),
    }
    assert ("y", "mm", "from_node+name") in exact(DYNAMO, READING, JOINT)  # saved: an input there


def test_an_inference_graph_comes_from_dynamo_directly() -> None:
    assert ("z", "sin", "from_node") in exact(DYNAMO, FORWARD)


def test_another_fragment_or_recompile_is_another_graph() -> None:
    for gid in ("joint.1", "joint.0.r1"):
        assert not exact(DYNAMO, msgspec.structs.replace(JOINT, id=gid))
    again = msgspec.structs.replace(DYNAMO, id="dynamo.0.r1")
    assert exact(again, msgspec.structs.replace(JOINT, id="joint.0.r1")) == exact(DYNAMO, JOINT)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(MODEL, repeat=2)), ids=lambda each: each.id)
def test_the_other_way_round_is_the_same(a: Graph, b: Graph) -> None:
    there, back = links(a, b, *MODEL), links(b, a, *MODEL)
    assert {(j, i, evidence) for i, j, evidence in back.exact} == set(there.exact)
    assert {(j, i) for i, j in back.line} == set(there.line)
    assert (back.unlinked.a, back.unlinked.b) == (there.unlinked.b, there.unlinked.a)


@pytest.mark.parametrize("half", [FORWARD, BACKWARD, SAVING, READING], ids=lambda each: each.id)
def test_exact_links_compose(half: Graph) -> None:
    """From Dynamo by way of the joint graph, and from half to half."""
    composed(DYNAMO, JOINT, half, lambda evidence: True)
    for other in (FORWARD, BACKWARD, SAVING, READING):
        composed(half, JOINT, other, lambda evidence: evidence == "name")


def composed(a: Graph, b: Graph, c: Graph, counts: Callable[[str], bool]) -> None:
    first = [(i, j) for i, j, evidence in links(a, b, *MODEL).exact if counts(evidence)]
    second = [(j, k) for j, k, evidence in links(b, c, *MODEL).exact if evidence == "name"]
    both = {(i, k) for i, j in first for b_j, k in second if j == b_j}
    assert a.id == c.id or (both and both <= {(i, k) for i, k, _ in links(a, c, *MODEL).exact})


def test_graphs_of_two_targets_have_no_links() -> None:
    with pytest.raises(ValueError, match="two targets"):
        links(EXPORT, msgspec.structs.replace(CORE, id="t2.core_aten.0"))
    assert exact(msgspec.structs.replace(EXPORT, id="t2.export.0"), msgspec.structs.replace(CORE, id="t2.core_aten.0"))


def test_eager_calls_are_never_exact() -> None:
    for other in MODEL:
        assert not exact(EAGER, other, *MODEL)


def test_names_in_from_node_that_are_nowhere_are_no_links() -> None:
    lost = graph("core_aten.0", given("x", "input", "x"), call("sin", "aten.sin.default", 0, origin=made("nobody")), end(1))
    assert not exact(EXPORT, lost)


def test_an_input_that_is_saved_as_it_is_keeps_its_name() -> None:
    desc = "PlainAOTInput(idx=0), L['x']"
    saved = [Node("s", "placeholder", "s", placeholder=Placeholder("saved", "x", desc)), given("sin", "saved", "x"), end(0)]
    back = graph("backward.0", *saved)
    assert (1, 0, "name") in links(EXPORT, back).exact
    assert [pair for pair in links(EXPORT, back).exact if pair[1] == 1] == []
    weight = Placeholder("saved", "fc.weight", "PlainAOTInput(idx=1), L['self']._parameters['weight']")
    back = graph("backward.0", Node("s", "placeholder", "s", placeholder=weight), end(0))
    assert (0, 0, "name") in links(EXPORT, back).exact


def test_an_input_behind_a_graph_break_is_another_value_of_that_name() -> None:
    second = msgspec.structs.replace(DYNAMO, id="dynamo.1")
    found = {(i, j) for i, j, _ in links(DYNAMO, second).exact}
    assert found == {(1, 1)}  # the parameter is the same one
