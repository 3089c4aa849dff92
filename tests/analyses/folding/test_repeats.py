"""Which blocks are identical: graphs by hand, and what may and may not differ."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphcap.analyses.columns import columns
from graphcap.graph.document import Graph, Module, Node, Origin, Placeholder, Ref, TensorMeta
from tests.analyses.handmade_graphs import F32, call, random_graph, sound, stacks

WIDE = TensorMeta("float32", (4, 4), (4, 1))
Blocks = list[tuple[bool, list[str], list[list[int]]]]


def found(graph: Graph) -> Blocks:
    """What repeats, with paths for modules and lists for ranges."""
    answer = columns(graph)

    def spelt(ranges: list[int]) -> list[int]:
        pairs = zip(ranges[::2], ranges[1::2], strict=True)
        return [i for first, count in pairs for i in range(first, first + count)]

    return [
        (row.backward, [answer.modules[copy.module].path for copy in row.copies], [spelt(copy.nodes) for copy in row.copies])
        for row in answer.repeats
    ]


def row(blocks: int = 4, change: Callable[[list[Node]], None] = lambda nodes: None, between: int = -1) -> Graph:
    """x -> (mm with its own weight, relu, add of both) per block -> neg; after block `between` comes a node outside."""
    nodes = [
        Node(f"w{k}", "placeholder", f"w{k}", value=F32, placeholder=Placeholder("parameter", f"h.{k}.w"))
        for k in range(blocks)
    ]
    nodes.append(Node("x", "placeholder", "x", value=F32, placeholder=Placeholder("input", "x")))
    at = blocks
    for k in range(blocks):
        nodes.append(call(f"mm{k}", "aten.mm.default", at, k, value=F32, module=k + 1))
        nodes.append(call(f"relu{k}", "aten.relu.default", len(nodes) - 1, value=F32, module=k + 1))
        nodes.append(call(f"add{k}", "aten.add.Tensor", len(nodes) - 1, at, value=F32, module=k + 1))
        at = len(nodes) - 1
        if k == between:
            nodes.append(call("between", "aten.neg.default", at, value=F32, module=0))
            at += 1
    nodes.append(call("neg", "aten.neg.default", at, value=F32, module=0))
    change(nodes)
    paths = stacks("", *(f"h.{k}" for k in range(blocks)))
    return sound(
        Graph("export.0", "g", 0, tuple(nodes), modules=tuple((stack[0], stack[-1])[: len(stack)] for stack in paths))
    )


def replaced(name: str, change: Callable[[Node], Node]) -> Callable[[list[Node]], None]:
    def work(nodes: list[Node]) -> None:
        at = next(i for i, node in enumerate(nodes) if node.name == name)
        nodes[at] = change(nodes[at])

    return work


def test_blocks_in_a_row_with_their_weights() -> None:
    paths = ["h.0", "h.1", "h.2", "h.3"]
    assert found(row()) == [(False, paths, [[0, 5, 6, 7], [1, 8, 9, 10], [2, 11, 12, 13], [3, 14, 15, 16]])]


def test_two_are_not_enough() -> None:
    assert found(row(blocks=2)) == []
    assert len(found(row(blocks=3))) == 1


def test_blocks_side_by_side() -> None:
    nodes = [Node("x", "placeholder", "x", value=F32, placeholder=Placeholder("input", "x"))]
    for k in range(3):
        nodes.append(call(f"a{k}", "aten.relu.default", 0, value=F32, module=k))
        nodes.append(call(f"b{k}", "aten.neg.default", len(nodes) - 1, value=F32, module=k))
    nodes.append(call("sum", "aten.stack.default", 2, 4, 6, value=F32))
    graph = sound(Graph("export.0", "g", 0, tuple(nodes), modules=stacks("e0", "e1", "e2")))
    assert found(graph) == [(False, ["e0", "e1", "e2"], [[1, 2], [3, 4], [5, 6]])]


DIFFERENCES: dict[str, Callable[[Node], Node]] = {
    "operator": lambda n: Node(n.name, n.op, "aten.tanh.default", n.args, value=n.value, module=n.module),
    "constant": lambda n: Node(n.name, n.op, n.target, (*n.args, 0.1), value=n.value, module=n.module),
    "keyword": lambda n: Node(n.name, n.op, n.target, n.args, (("alpha", 2),), value=n.value, module=n.module),
    "shape": lambda n: Node(n.name, n.op, n.target, n.args, value=WIDE, module=n.module),
    "wiring": lambda n: Node(n.name, n.op, n.target, (Ref(5),), value=n.value, module=n.module),
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_block_that_differs_is_left_out(what: str) -> None:
    rows = found(row(blocks=5, change=replaced("relu1", DIFFERENCES[what])))
    assert [paths for _, paths, _ in rows] == [["h.2", "h.3", "h.4"]]


def test_names_and_stack_traces_may_differ() -> None:
    named = replaced(
        "relu1", lambda n: Node("gate", n.op, n.target, n.args, value=n.value, module=n.module, origin=Origin(seq_nr=7))
    )
    assert len(found(row(change=named))[0][1]) == 4


def test_a_parameter_of_another_name_makes_another_block() -> None:
    other = replaced(
        "w1", lambda n: Node(n.name, n.op, n.target, value=n.value, placeholder=Placeholder("parameter", "h.1.v"))
    )
    assert found(row(blocks=5, change=other))[0][1] == ["h.2", "h.3", "h.4"]


def test_a_value_used_outside_makes_another_block() -> None:
    def tap(nodes: list[Node]) -> None:
        relu = next(i for i, node in enumerate(nodes) if node.name == "relu1")
        nodes.append(call("tap", "aten.neg.default", relu, value=F32, module=0))

    assert found(row(blocks=5, change=tap))[0][1] == ["h.2", "h.3", "h.4"]


def test_a_node_between_two_ends_the_row() -> None:
    rows = found(row(blocks=7, between=2))
    assert [paths for _, paths, _ in rows] == [["h.0", "h.1", "h.2"], ["h.3", "h.4", "h.5", "h.6"]]
    assert found(row(blocks=4, between=1)) == []


def test_of_nested_blocks_the_outer_ones_come_first() -> None:
    modules, nodes = [], [Node("x", "placeholder", "x", value=F32, placeholder=Placeholder("input", "x"))]
    for k in range(3):
        for head in range(3):
            modules.append((Module("", "Root"), Module(f"h.{k}", "Block"), Module(f"h.{k}.head.{head}", "Head")))
            for name in ("a", "b"):
                nodes.append(
                    call(f"{name}{k}{head}", "aten.relu.default", len(nodes) - 1, value=F32, module=len(modules) - 1)
                )
    nodes.append(Node("output", "output", "output", (Ref(len(nodes) - 1),)))
    rows = found(sound(Graph("export.0", "g", 0, tuple(nodes), modules=tuple(modules))))
    assert [paths for _, paths, _ in rows] == [
        ["h.0", "h.1", "h.2"],
        *([f"h.{k}.head.{i}" for i in range(3)] for k in range(3)),
    ]


def test_halves_repeat_each_for_itself() -> None:
    nodes = [Node("x", "placeholder", "x", value=F32, placeholder=Placeholder("input", "x"))]
    for k in range(3):
        nodes += [call(f"f{k}{i}", "aten.relu.default", len(nodes) - 1 + i, value=F32, module=k) for i in range(2)]
    back = Origin(partitioner_tag="is_backward")
    for k in reversed(range(3)):
        nodes += [
            call(f"b{k}{i}", "aten.neg.default", len(nodes) - 1 + i, value=F32, module=k, origin=back) for i in range(2)
        ]
    nodes.append(Node("output", "output", "output", (Ref(len(nodes) - 1),)))
    rows = found(sound(Graph("joint.0", "g", 0, tuple(nodes), modules=stacks("e0", "e1", "e2"))))
    assert rows == [
        (False, ["e0", "e1", "e2"], [[1, 2], [3, 4], [5, 6]]),
        (True, ["e0", "e1", "e2"], [[11, 12], [9, 10], [7, 8]]),
    ]


@pytest.mark.parametrize("seed", range(60))
def test_the_kth_node_of_a_copy_does_what_the_kth_of_the_first_does(seed: int) -> None:
    graph = random_graph(seed, size=200)
    for _, paths, copies in found(graph):
        assert len(set(paths)) == len(paths) >= 3
        for copy in copies:
            assert [graph.nodes[i].target for i in copy if graph.nodes[i].op.startswith("call")] == [
                graph.nodes[i].target for i in copies[0] if graph.nodes[i].op.startswith("call")
            ]
