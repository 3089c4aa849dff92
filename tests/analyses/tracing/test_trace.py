from __future__ import annotations

import random

import msgspec
import networkx as nx
import pytest

from graphcap.analyses.tracing.gradient import NO_GRADIENT, NOTHING, PASSED_ON, differentiating_graph
from graphcap.analyses.tracing.reach import Reach
from graphcap.analyses.tracing.trace import Trace, follow, gradient_of
from graphcap.graph.document import Graph, Output, TensorMeta
from graphcap.graph.edges import edges
from tests.analyses.handmade_graphs import random_graph
from tests.analyses.links.linked_graphs import (
    BACKWARD,
    DYNAMO,
    EAGER,
    EXPORT,
    FORWARD,
    JOINT,
    READING,
    SAVING,
    call,
    end,
    given,
    graph,
    shelf,
)

F32 = TensorMeta("float32", (2, 3), (3, 1))  # 24 bytes


def returning(whole: Graph, node: str, *of: str) -> Graph:
    """The graph, which returns `node` as the gradient of these; every value is a tensor."""
    index = at(whole, node)
    nodes = [msgspec.structs.replace(each, value=F32) for each in whole.nodes[:-1]]
    last = msgspec.structs.replace(whole.nodes[-1], returns=tuple(Output("gradient", index, name) for name in of))
    return msgspec.structs.replace(whole, nodes=(*nodes, last))


def at(where: Graph, name: str) -> int:
    return next(i for i, node in enumerate(where.nodes) if node.name == name)


MODEL = {
    each.id: each
    for each in (
        DYNAMO,
        EXPORT,
        returning(JOINT, "add", "fc.weight", "x"),
        returning(FORWARD, "t"),
        returning(BACKWARD, "add", "fc.weight", "x"),
        returning(SAVING, "t"),
        returning(READING, "add", "fc.weight"),
        returning(EAGER, "detach", "fc.weight"),
    )
}


def gradient(gid: str, name: str, without: str = "") -> Trace:
    kept = shelf(*(each for each in MODEL.values() if each.id != without))
    asked = kept.get(gid)
    backward = differentiating_graph(gid, kept)
    assert backward is not None
    found = gradient_of(asked, at(asked, name), kept.get(backward), kept)
    assert found.found[0].graph == gid and found.node == name
    assert len({part.graph for part in found.found}) == len(found.found)
    for part in found.found:
        assert list(part.nodes) == sorted(set(part.nodes))
        assert set(part.nodes) <= set(range(len(kept.get(part.graph).nodes)))
    assert {end.node for end in found.gradients} | set(found.starts) <= nodes(found, found.path)
    return found


def nodes(found: Trace, gid: str) -> set[int]:
    return next(set(part.nodes) for part in found.found if part.graph == gid)


def names(found: Trace, gid: str) -> set[str]:
    return {MODEL[gid].nodes[i].name for i in nodes(found, gid)}


def test_the_gradient_path_of_a_forward_node() -> None:
    found = gradient("forward.0", "sin")
    assert (found.path, found.reason) == ("backward.0", "")
    assert {BACKWARD.nodes[i].name for i in found.starts} == {"cos", "mul"}
    assert names(found, "backward.0") == {"cos", "mul", "mm_1", "add"}
    assert [each.name for each in found.gradients] == ["fc.weight", "x"]
    assert names(found, "forward.0") == {"sin"}


def test_what_the_path_reads_is_what_is_saved_behind_what_is_computed_again() -> None:
    """The backward recomputes mm of t of the parameter; the path reads the input and the parameter for it."""
    found = gradient("forward.0", "sin")
    assert [(each.name, each.node, each.source, each.bytes) for each in found.saved] == [
        ("primals_1", 0, 0, 24),
        ("primals_2", 1, 1, 24),
    ]
    assert found.bytes == 48
    assert [each.name for each in gradient("forward.0.default", "sin").saved] == ["primals_1", "mm"]
    assert [each.name for each in gradient("forward.0", "mm").saved] == ["primals_1"]


def test_a_variant_has_its_own_backward() -> None:
    assert gradient("forward.0.default", "sin").path == "backward.0.default"


def test_values_that_share_a_storage_count_once() -> None:
    view = msgspec.structs.replace(call("v", "aten.view.default", 0), tags=("view",))
    fw = returning(graph("forward.0", given("primals_1", "input", "x"), view, end(1)), "v")
    reader = msgspec.structs.replace(BACKWARD.nodes[at(BACKWARD, "mul")], args=call("", "", 0, 1).args)
    inputs = given("primals_1", "saved", "x"), given("v", "saved", "v")
    bw = returning(graph("backward.0", *inputs, reader, end(2)), "mul", "x")
    found = gradient_of(fw, 0, bw, shelf(fw, bw))
    assert [(each.name, each.bytes, each.storage) for each in found.saved] == [("primals_1", 24, 0), ("v", 24, 0)]
    assert found.bytes == 24


def test_a_joint_node_is_followed_in_the_joint_graph_and_in_the_backward() -> None:
    found = gradient("joint.0", "sin")
    assert found.path == "backward.0"
    assert names(found, "joint.0") == {"sin", "cos", "mul", "mm_1", "add"}
    alone = gradient("joint.0", "sin", without="backward.0")
    assert (alone.path, names(alone, "joint.0")) == ("joint.0", {"sin", "cos", "mul", "mm_1", "add"})
    assert [each.name for each in alone.saved] == ["primals_1", "mm"]


def test_a_call_in_dynamos_graph_is_followed_too() -> None:
    assert names(gradient("dynamo.0", "z"), "backward.0") == {"cos", "mul", "mm_1", "add"}


def test_a_backward_node_starts_at_itself() -> None:
    assert names(gradient("backward.0", "mul"), "backward.0") == {"mul", "mm_1", "add"}
    assert names(gradient("joint.0", "mul"), "backward.0") == {"mul", "mm_1", "add"}


def test_an_eager_run_holds_its_own_backward() -> None:
    found = gradient("eager.0", "sin")
    assert (found.path, names(found, "eager.0")) == ("eager.0", {"sin", "cos", "detach"})
    assert [(each.name, each.source) for each in found.saved] == [("mm", -1)]


@pytest.mark.parametrize(("gid", "name"), [("forward.0", "primals_2"), ("joint.0", "primals_2"), ("dynamo.0", "l_x_")])
def test_everything_that_computes_the_gradient_of_a_parameter_or_input(gid: str, name: str) -> None:
    found = gradient(gid, name)
    assert names(found, "backward.0") == {"primals_1", "primals_2", "tangents_1", "t", "mm", "cos", "mul", "mm_1", "add"}
    assert names(found, "forward.0") == {"primals_1", "primals_2"}
    assert [each.name for each in found.saved] == ["primals_1", "primals_2"]
    assert (len(found.gradients), found.starts) == (1, ())


def test_everything_that_computes_a_gradient_that_is_returned() -> None:
    found = gradient("backward.0.default", "add")
    assert names(found, "backward.0.default") == {"primals_1", "mm", "tangents_1", "cos", "mul", "mm_1", "add"}
    assert names(found, "forward.0.default") == {"primals_1", "primals_2", "t", "mm"}  # mm is saved, so all that computes it


def test_what_has_no_gradient_says_so() -> None:
    assert gradient("forward.0", "gt").reason == NOTHING
    assert gradient("forward.0.default", "primals_1").reason == NO_GRADIENT
    assert gradient("forward.0", "gt").found[1].nodes == ()
    assert differentiating_graph("export.0", shelf(*MODEL.values())) is None
    assert differentiating_graph("forward.0", shelf(MODEL["forward.0"])) is None


def test_a_sum_passes_its_gradient_on() -> None:
    added = call("residual", "aten.add.Tensor", at(FORWARD, "sin"), 0)
    fw = graph("forward.0", *FORWARD.nodes[:-1], added, end(len(FORWARD.nodes) - 1))
    found = gradient_of(fw, len(FORWARD.nodes) - 1, MODEL["backward.0"], shelf(fw, MODEL["backward.0"]))
    assert (found.reason, {BACKWARD.nodes[i].name for i in found.starts}) == (PASSED_ON, {"cos", "mul"})


@pytest.mark.parametrize("seed", range(40))
def test_reach_is_what_networkx_finds(seed: int) -> None:
    drawn = random_graph(seed)
    reach, known = Reach(drawn), nx.DiGraph()
    known.add_nodes_from(range(len(drawn.nodes)))
    known.add_edges_from((edge.source, edge.user) for edge in edges(drawn))
    rng = random.Random(seed)
    for _ in range(10):
        a, b = rng.randrange(len(drawn.nodes)), rng.randrange(len(drawn.nodes))
        first, last = min(a, b), max(a, b)
        assert set(follow(drawn, a, "ancestors").found[0].nodes) == nx.ancestors(known, a) | {a}
        assert set(follow(drawn, a, "descendants").found[0].nodes) == nx.descendants(known, a) | {a}
        below, above = nx.descendants(known, first) | {first}, nx.ancestors(known, last) | {last}
        expected = below & above if last in below else set()
        assert reach.between(a, b) == expected
        assert set(follow(drawn, a, "between", b).found[0].nodes) == expected


@pytest.mark.parametrize("seed", range(40))
def test_gradients_of_random_graphs_point_inside(seed: int) -> None:
    drawn = random_graph(seed)
    last = msgspec.structs.replace(drawn.nodes[-1], returns=tuple(Output("gradient", k, f"p.{k}") for k in (0, 5, 20)))
    joint = msgspec.structs.replace(drawn, nodes=(*drawn.nodes[:-1], last))
    bw = msgspec.structs.replace(joint, id="backward.0")
    fw = msgspec.structs.replace(random_graph(seed + 1), id="forward.0")
    kept = shelf(joint, bw, fw)
    for asked in (joint, bw, fw):
        found = gradient_of(asked, random.Random(seed).randrange(len(asked.nodes)), bw, kept)
        for part in found.found:
            assert all(0 <= i < len(kept.get(part.graph).nodes) for i in part.nodes)
        assert all(0 <= each.node < len(bw.nodes) and -1 <= each.source < len(fw.nodes) for each in found.saved)
