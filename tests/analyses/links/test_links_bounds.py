"""Whatever a document says, nothing points outside, and the answer stays in proportion to the graphs."""

from __future__ import annotations

import random

import msgspec
import pytest

from graphcap.analyses.links import sources
from graphcap.analyses.links.pairs import MAX_BUCKET, MAX_LINKS
from graphcap.graph.document import Frame, Graph, Node, Origin, Source
from tests.analyses.handmade_graphs import random_graph
from tests.analyses.links.linked_graphs import FC, LINEAR, backward, call, end, exact, forward, given, graph, links

IDS = ("eager.0", "export.0", "core_aten.0", "dynamo.0", "joint.0", "forward.0", "backward.0", "forward.0.default")


@pytest.mark.parametrize("seed", range(60))
def test_links_of_random_graphs_point_inside(seed: int) -> None:
    """`links` holds every answer to that. Names are drawn from few, numbers and ids of graphs too."""
    rng = random.Random(seed)
    graphs = [shaken(rng, gid) for gid in IDS]
    graphs += [shaken(rng, f"{top}/b{k}") for top in ("dynamo.0", "joint.0", "backward.1") for k in "01"]
    for _ in range(12):
        a, b = rng.choice(graphs), rng.choice(graphs)
        links(a, b, *graphs)


def shaken(rng: random.Random, gid: str) -> Graph:
    drawn = random_graph(rng.randrange(10_000), size=rng.randint(1, 40))
    names = rng.sample([f"n{i}" for i in range(80)], len(drawn.nodes))
    nodes = []
    for node, name in zip(drawn.nodes, names, strict=True):
        origin = node.origin or Origin()
        found = tuple(Source(f"n{rng.randrange(80)}", graph_id=rng.randrange(3)) for _ in range(rng.randint(0, 3)))
        runs = rng.choice([f"{gid.split('/')[0]}/b0", f"{gid.split('/')[0]}/b1", gid])
        bodies = (runs,) if rng.random() < 0.1 else ()
        origin = msgspec.structs.replace(origin, from_node=found, original_aten=rng.choice(["", "aten.add.Tensor"]))
        nodes.append(msgspec.structs.replace(node, name=name, origin=origin, bodies=bodies))
    frames = tuple(msgspec.structs.replace(frame, line=rng.randint(1, 3)) for frame in drawn.frames)
    parent = rng.choice(["", "", gid, "dynamo.0", "joint.0/b1"])  # whatever it says of itself
    return msgspec.structs.replace(drawn, id=gid, nodes=tuple(nodes), frames=frames, parent=parent)


def alike(gid: str, count: int, origin: Origin | None) -> Graph:
    """`count` calls on one line with one origin."""
    nodes = [call(f"{gid[:3]}{i}", f"aten.{gid[0]}.default", at=(LINEAR, FC), origin=origin) for i in range(count)]
    return graph(gid, *nodes, call("last", "aten.last.default"), end(count))


def test_a_line_with_too_many_nodes_is_not_multiplied_out() -> None:
    found = links(alike("eager.0", 3000, None), alike("dynamo.0", 2001, None))
    assert (found.line, found.cut) == ([], 3000 * 2001)
    assert found.unlinked.a["call"] == 3001
    assert len(links(alike("eager.0", 60, None), alike("dynamo.0", 59, None)).line) == 60 * 59 < MAX_BUCKET


def test_a_number_that_too_many_nodes_share_is_not_multiplied_out() -> None:
    fw, bw = alike("forward.0", 3000, forward("y", 1, "f")), alike("backward.0", 3000, backward(1, "f"))
    found = links(fw, bw)
    assert [evidence for _, _, evidence in found.exact] == ["name", "name"]  # the last call and the output
    assert found.cut >= 9_000_000


def test_many_full_lines_fill_an_answer_only_so_far() -> None:
    def lined(gid: str) -> Graph:
        nodes = [call(f"{gid[0]}{i}", f"aten.{gid[0]}{i % 60}.x", at=(i // 60, FC)) for i in range(6000)]
        whole = graph(gid, *nodes, end(0))
        frames = tuple(Frame("m.py", i, user=True) for i in range(100))
        return msgspec.structs.replace(whole, frames=frames, stacks=tuple((i,) for i in range(100)))

    found = links(lined("eager.0"), lined("dynamo.0"))
    assert MAX_LINKS - MAX_BUCKET < len(found.line) <= MAX_LINKS
    assert len(found.line) + found.cut == 100 * 60 * 60


def test_composition_is_bounded_too() -> None:
    """Every joint node from one Dynamo node, and every backward node of one number."""
    dynamo = graph("dynamo.0", given("x", "input", "x"), call("y", "torch.y", 0), end(1))
    count = 1500
    calls = [call(f"f{i}", "aten.f.default", origin=forward("y", 1, "f")) for i in range(count)]
    calls += [call(f"b{i}", "aten.b.default", origin=backward(1, "f")) for i in range(count)]
    found = links(dynamo, graph("joint.0", *calls, end(0)))
    assert len(found.exact) == count + 1 and found.cut >= count * count


def test_looking_for_the_homes_of_forged_ids_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_LOOKS", 10)
    node = Node("x", "call_function", "aten.x.default")
    made = [call(f"x{i}", "aten.x.default", origin=Origin((Source("x", graph_id=i),))) for i in range(30)]
    assert len(exact(graph("export.0", node), graph("core_aten.0", *made))) == 10
