"""Graphs by hand, as short as they can be: no torch."""

from __future__ import annotations

import random

from graphcap.graph.check import check_stage
from graphcap.graph.document import (
    Frame,
    Graph,
    Meta,
    Module,
    Node,
    Origin,
    Output,
    Placeholder,
    Ref,
    Scalar,
    Seq,
    Stage,
    TensorMeta,
    Tuple,
)

F32 = TensorMeta("float32", (2, 3), (3, 1))


def call(name: str, target: str, *sources: int, **fields: object) -> Node:
    return Node(name, "call_function", target, tuple(Ref(i) for i in sources), **fields)  # type: ignore[arg-type]


def stacks(*paths: str) -> tuple[tuple[Module, ...], ...]:
    """One module stack per dotted path: the root, then every prefix."""
    built = []
    for path in paths:
        parts = path.split(".") if path else []
        prefixes = [".".join(parts[: i + 1]) for i in range(len(parts))]
        built.append((Module("", "Root"), *(Module(prefix, "M") for prefix in prefixes)))
    return tuple(built)


def sound(graph: Graph, *others: Graph) -> Graph:
    """The graph, having passed the check every captured graph passes."""
    stage = graph.id.removeprefix("t2.").split(".")[0]
    check_stage(Stage(stage, "done", graphs=(graph, *others)), "t2" if graph.id.startswith("t2.") else "t1")  # type: ignore[arg-type]
    return graph


def random_graph(seed: int, size: int = 60) -> Graph:
    """A sound graph of `size` nodes and more tables than a real one needs; the same for the same seed."""
    rng = random.Random(seed)
    paths = ["", *{".".join(rng.choice("abc") for _ in range(rng.randint(1, 5))) for _ in range(rng.randint(0, 12))}]
    modules = stacks(*paths)
    frames = tuple(Frame(rng.choice(["a.py", "b.py"]), rng.randint(1, 9), user=rng.random() < 0.5) for _ in range(12))
    many = tuple(tuple(rng.randrange(12) for _ in range(rng.randint(0, 4))) for _ in range(9))
    nodes = [_random_node(rng, i, len(modules), len(many)) for i in range(size)]
    returned = tuple(Output("user_output", rng.choice([None, rng.randrange(size)])) for _ in range(rng.randint(0, 3)))
    args = (Seq("tuple", tuple(Ref(out.node) for out in returned if out.node is not None)),)
    nodes.append(Node("output", "output", "output", args, returns=returned))
    return sound(Graph("joint.0", "random", 0, tuple(nodes), frames, many, modules))


def _random_node(rng: random.Random, i: int, modules: int, many: int) -> Node:
    value: Meta | None = rng.choice([None, F32, Scalar("SymInt", "s0"), Tuple("tuple", (F32, Scalar("int", "3")))])
    stack, module = rng.randint(-1, many - 1), rng.randint(-1, modules - 1)
    if i < 2 or rng.random() < 0.2:
        kind = rng.choice(["input", "parameter", "buffer", "constant", "saved", "tangent", "symint"])
        return Node(
            f"p{i}", rng.choice(["placeholder", "get_attr"]), f"p{i}", value=value, placeholder=Placeholder(kind, f"p.{i}")
        )
    args = tuple(
        rng.choice([Ref(rng.randrange(i)), 1, None, Seq("list", (Ref(rng.randrange(i)), 2.5))])
        for _ in range(rng.randint(0, 3))
    )
    origin = Origin(
        seq_nr=rng.choice([None, rng.randint(0, 9)]),
        partitioner_tag=rng.choice(["", "is_forward", "is_backward"]),
        source_fn=rng.choice(["", "linear"]),
    )
    target = rng.choice(
        ["aten.add.Tensor", "aten.mm.default", "torch.nn.functional.relu", "operator.getitem", "ns.odd.default"]
    )
    return Node(
        f"n{i}", "call_function", target, args, value=value, stack=stack, module=module, origin=rng.choice([None, origin])
    )
