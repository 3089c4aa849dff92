"""One small model by hand, at every stage: a linear, a sine, and a mask that nothing differentiates."""

from __future__ import annotations

import msgspec

from graphcap.analyses.links.linked import Links, linked
from graphcap.analyses.links.places import Shelf
from graphcap.graph.check import check_graph
from graphcap.graph.document import Frame, Graph, Module, Node, Origin, Placeholder, Ref, Seq, Source

LINEAR, SIN, MASK = 0, 1, 2
FRAMES = (Frame("m.py", 10, user=True), Frame("m.py", 11, user=True), Frame("m.py", 12, user=True), Frame("nn.py", 99))
STACKS = ((0, 3), (1,), (2,))  # torch's own frame is innermost for the linear
MODULES = ((Module("", "Net"), Module("fc", "Linear")), (Module("", "Net"),))
FC, ROOT, NONE = 0, 1, -1


def call(name: str, target: str, *args: int, at: tuple[int, int] = (-1, -1), origin: Origin | None = None) -> Node:
    """`at`: its line and its module."""
    stack, module = at
    return Node(name, "call_function", target, tuple(map(Ref, args)), stack=stack, module=module, origin=origin)


def given(name: str, kind: str, dotted: str) -> Node:
    return Node(name, "placeholder", name, placeholder=Placeholder(kind, dotted))  # type: ignore[arg-type]


def end(*args: int) -> Node:
    return Node("output", "output", "output", (Seq("tuple", tuple(map(Ref, args))),))


def made(*names: str, of: int = 7) -> Origin:
    """Made from a node: `names` are its name in every graph on the way, the nearest first; `of` the id of those graphs."""
    return Origin(from_node=tuple(Source(name, graph_id=of) for name in names))


def forward(name: str, seq_nr: int, source: str) -> Origin:
    return Origin((Source(name, graph_id=7),), seq_nr=seq_nr, source_fn=source, partitioner_tag="is_forward")


def backward(seq_nr: int, source: str = "") -> Origin:
    return Origin(seq_nr=seq_nr, source_fn=source, partitioner_tag="is_backward", autograd_backward=True)


def graph(gid: str, *nodes: Node, parent: str = "") -> Graph:
    return Graph(gid, gid, 0, nodes, FRAMES, STACKS, MODULES, parent=parent)


def part(whole: Graph, gid: str, inputs: str, calls: str, outputs: str) -> Graph:
    """What a partitioner makes of a joint graph: some of its nodes under their names, some of them as inputs."""
    nodes = {node.name: node for node in whole.nodes}
    index = {name: i for i, name in enumerate([*inputs.split(), *calls.split()])}
    kept = [
        node if node.op == "placeholder" else msgspec.structs.replace(node, op="placeholder", args=())
        for node in (nodes[name] for name in inputs.split())
    ]
    for node in (nodes[name] for name in calls.split()):
        args = [whole.nodes[arg.node].name for arg in node.args if isinstance(arg, Ref)]
        kept.append(msgspec.structs.replace(node, args=tuple(Ref(index[arg]) for arg in args)))
    return graph(gid, *kept, end(*(index[name] for name in outputs.split())))


EAGER = graph(
    "eager.0",
    given("p_fc_weight", "parameter", "fc.weight"),
    given("x", "input", "x"),
    call("t", "aten.t.default", 0, at=(LINEAR, FC), origin=Origin(seq_nr=0)),
    call("mm", "aten.mm.default", 1, 2, at=(LINEAR, FC), origin=Origin(seq_nr=1)),
    call("sin", "aten.sin.default", 3, at=(SIN, ROOT), origin=Origin(seq_nr=2)),
    call("gt", "aten.gt.Scalar", 4, at=(MASK, ROOT), origin=Origin(seq_nr=2)),
    call("cos", "aten.cos.default", 3, at=(SIN, ROOT), origin=Origin(seq_nr=2, autograd_backward=True)),
    call("detach", "aten.detach.default", 6, at=(-1, FC), origin=Origin(autograd_backward=True)),
    end(4, 5, 7),
)
EXPORT = graph(
    "export.0",
    given("p_fc_weight", "parameter", "fc.weight"),
    given("x", "input", "x"),
    call("linear", "aten.linear.default", 1, 0, at=(LINEAR, FC)),
    call("sin", "aten.sin.default", 2, at=(SIN, ROOT)),
    call("gt", "aten.gt.Scalar", 3, at=(MASK, ROOT)),
    end(3, 4),
)
CORE = graph(
    "core_aten.0",
    given("p_fc_weight", "parameter", "fc.weight"),
    given("x", "input", "x"),
    call("permute", "aten.permute.default", 0, at=(LINEAR, FC), origin=made("linear", "linear", of=8)),
    call("mm", "aten.mm.default", 1, 2, at=(LINEAR, FC), origin=made("linear", of=8)),
    call("sin", "aten.sin.default", 3, at=(SIN, ROOT), origin=made("sin", of=8)),
    call("gt", "aten.gt.Scalar", 4, at=(MASK, ROOT), origin=made("gt", of=8)),
    call("_assert_scalar", "aten._assert_scalar.default", 5),
    end(4, 5),
)
DYNAMO = graph(
    "dynamo.0",
    given("l_x_", "input", "x"),
    given("l_self_fc_weight", "parameter", "fc.weight"),
    call("y", "torch._C._nn.linear", 0, 1, at=(LINEAR, FC)),
    call("z", "torch.sin", 2, at=(SIN, NONE)),  # Dynamo records no module for the top module's own forward
    call("mask", "operator.gt", 3, at=(MASK, NONE)),
    end(3, 4),
)
JOINT = graph(
    "joint.0",
    given("primals_1", "input", "x"),
    given("primals_2", "parameter", "fc.weight"),
    given("tangents_1", "tangent", "output 0"),
    call("t", "aten.t.default", 1, at=(LINEAR, FC), origin=forward("y", 20, "linear: Linear")),
    call("mm", "aten.mm.default", 0, 3, at=(LINEAR, FC), origin=forward("y", 21, "linear: Linear")),
    call("sin", "aten.sin.default", 4, at=(SIN, NONE), origin=forward("z", 22, "sin: sin")),
    call("gt", "aten.gt.Scalar", 5, at=(MASK, NONE), origin=forward("mask", 22, "gt: gt")),
    call("cos", "aten.cos.default", 4, at=(SIN, NONE), origin=backward(22, "sin: sin")),
    call("mul", "aten.mul.Tensor", 2, 7, at=(SIN, NONE), origin=backward(22, "sin: sin")),
    call("mm_1", "aten.mm.default", 0, 8, at=(LINEAR, FC), origin=backward(21, "linear: Linear")),
    call("add", "aten.add.Tensor", 9, 9, origin=backward(22)),
    end(5, 6, 10),
)
FORWARD = part(JOINT, "forward.0", "primals_1 primals_2", "t mm sin gt", "sin gt primals_1 primals_2")
BACKWARD = part(JOINT, "backward.0", "primals_1 primals_2 tangents_1", "t mm cos mul mm_1 add", "add")
SAVING = part(JOINT, "forward.0.default", "primals_1 primals_2", "t mm sin gt", "sin gt primals_1 mm")
READING = part(JOINT, "backward.0.default", "primals_1 mm tangents_1", "cos mul mm_1 add", "add")

MODEL = (EAGER, EXPORT, CORE, DYNAMO, JOINT, FORWARD, BACKWARD, SAVING, READING)
for each in MODEL:
    check_graph(each, {one.id for one in MODEL})


def shelf(*graphs: Graph) -> Shelf:
    kept = {each.id: each for each in graphs}
    return Shelf(kept, kept.__getitem__)


def links(a: Graph, b: Graph, *others: Graph) -> Links:
    """The links, held to what every answer must hold to: nothing points outside, pairs are sorted, and each stands once."""
    found = linked(a.id, b.id, shelf(*{each.id: each for each in (a, b, *others)}.values()))
    assert (found.a, found.b) == (a.id, b.id)
    for pairs in ([(i, j) for i, j, _ in found.exact], found.line):
        assert pairs == sorted(set(pairs))
        assert all(0 <= i < len(a.nodes) and 0 <= j < len(b.nodes) for i, j in pairs)
    assert not {(i, j) for i, j, _ in found.exact} & set(found.line)
    for nodes, side, left in ((a.nodes, 0, found.unlinked.a), (b.nodes, 1, found.unlinked.b)):
        ends = {pair[side] for pair in (*found.exact, *found.line)}
        assert sum(left.values()) == len(nodes) - len(ends)
    return found


def exact(a: Graph, b: Graph, *others: Graph) -> set[tuple[str, str, str]]:
    """Exact links between calls, by name."""
    found = links(a, b, *others).exact
    named = {(a.nodes[i], b.nodes[j], evidence) for i, j, evidence in found}
    return {(x.name, y.name, evidence) for x, y, evidence in named if "call" in x.op or "call" in y.op}


def line(a: Graph, b: Graph, *others: Graph) -> set[tuple[str, str]]:
    """Links by line, by name."""
    return {(a.nodes[i].name, b.nodes[j].name) for i, j in links(a, b, *others).line}
