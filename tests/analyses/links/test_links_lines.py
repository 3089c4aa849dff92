"""Links by line: where torch recorded nothing, or not enough; loops and modules that run many times."""

from __future__ import annotations

import pytest

from graphcap.graph.document import Graph, Node
from tests.analyses.links.linked_graphs import (
    BACKWARD,
    CORE,
    DYNAMO,
    EAGER,
    EXPORT,
    FC,
    JOINT,
    LINEAR,
    MODEL,
    ROOT,
    SIN,
    backward,
    call,
    end,
    exact,
    given,
    graph,
    line,
    links,
    made,
)

X = given("x", "input", "x")


def repeated(gid: str, ops: str, times: int, between: tuple[Node, ...] = ()) -> Graph:
    """A graph whose calls are all on one line, with calls of another line after each repetition."""
    nodes = [X]
    for k in range(times):
        nodes += [call(f"{op}_{k}", f"aten.{op}.default", len(nodes) - 1, at=(LINEAR, FC)) for op in ops.split()]
        nodes += [call(f"{node.name}_{k}", node.target, 0, at=(SIN, ROOT)) for node in between]
    return graph(gid, *nodes, end(len(nodes) - 1))


def test_eager_meets_export_on_the_persons_line_in_the_module() -> None:
    assert line(EAGER, EXPORT) == {
        ("t", "linear"),
        ("mm", "linear"),
        ("sin", "sin"),
        ("cos", "sin"),
        ("gt", "gt"),
    }
    assert links(EAGER, EXPORT).unlinked.a == {"gradient accumulation": 1}


def test_a_graph_with_a_backward_is_linked_kind_by_kind() -> None:
    found = line(EAGER, JOINT)
    assert {("t", "t"), ("mm", "mm"), ("sin", "sin"), ("gt", "gt"), ("cos", "cos"), ("cos", "mul")} <= found
    assert not {("sin", "cos"), ("sin", "mul"), ("cos", "sin")} & found


def test_the_top_module_is_the_same_whether_it_is_named_or_not() -> None:
    assert ("sin", "z") in line(EXPORT, DYNAMO)


def test_another_module_on_the_same_line_is_no_link() -> None:
    other = graph("export.0", X, call("linear", "aten.linear.default", 0, at=(LINEAR, ROOT)), end(1))
    assert line(EAGER, other) == set()


def test_a_line_is_named_only_where_one_of_the_two_has_no_exact_link() -> None:
    lost = call("_to_copy", "aten._to_copy.default", 2, at=(LINEAR, FC))
    core = graph("core_aten.0", *CORE.nodes[:3], lost, end(3))
    assert line(EXPORT, core) == {("linear", "_to_copy")}
    assert line(EXPORT, CORE) == set()


def test_an_eager_run_is_linked_with_itself_by_number_and_module_only() -> None:
    found = line(EAGER, EAGER)
    assert ("sin", "cos") in found
    assert ("gt", "cos") in found  # plain PyTorch gives the mask the number of the sine
    assert not exact(EAGER, EAGER)


def test_nodes_without_a_line_are_linked_by_way_of_what_they_came_from() -> None:
    core = graph("core_aten.0", X, call("mm", "aten.mm.default", 0, origin=made("linear", of=8)), end(1))
    assert ("mm", "mm") in line(EAGER, core, EXPORT)
    assert ("y", "mm") in line(DYNAMO, core, EXPORT)
    assert ("y", "mm") not in line(DYNAMO, core)
    assert ("mm", "mm_1") in line(core, BACKWARD, *(each for each in MODEL if each.id != core.id))


@pytest.mark.parametrize("times", [1, 3, 50])
def test_a_loop_that_calls_the_same_operators_is_linked_one_by_one(times: int) -> None:
    found = line(repeated("eager.0", "mul sin", times), repeated("export.0", "mul sin", times))
    assert found == {(f"{op}_{k}", f"{op}_{k}") for op in ("mul", "sin") for k in range(times)}


def test_a_loop_that_repeats_equally_often_is_linked_round_by_round() -> None:
    found = line(repeated("eager.0", "t addmm relu", 5), repeated("export.0", "linear relu", 5))
    assert found == {(f"{a}_{k}", f"{b}_{k}") for a in ("t", "addmm", "relu") for b in ("linear", "relu") for k in range(5)}


def test_calls_of_other_lines_between_the_rounds_cut_them_apart() -> None:
    between = (call("cos", "aten.cos.default", 0),)
    first = repeated("eager.0", "mul sin", 4, between)
    second = repeated("export.0", "square", 4, between)
    assert {(a, b) for a, b in line(first, second) if a.startswith("mul")} == {(f"mul_{k}", f"square_{k}") for k in range(4)}


def test_rounds_that_do_not_answer_to_one_another_are_linked_each_with_each() -> None:
    found = line(repeated("eager.0", "mul sin", 2), repeated("export.0", "neg", 3))
    assert len(found) == 4 * 3


def test_gradient_sums_without_a_line_stay_unlinked() -> None:
    assert links(EAGER, JOINT, *MODEL).unlinked.b == {"gradient accumulation": 1, "tangent": 1}
    with_line = call("add", "aten.add.Tensor", 0, 0, at=(LINEAR, FC), origin=backward(9))
    assert line(EXPORT, graph("joint.0", X, with_line, end(1))) == {("linear", "add")}
