from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

from graphcap.analyses.formats.dot import COLOURS, dot, quoted
from graphcap.analyses.formats.graphml import graphml
from graphcap.analyses.groups import groups
from graphcap.analyses.kinds import KINDS
from graphcap.graph.document import Graph, Node
from graphcap.graph.edges import edges
from tests.analyses.handmade_graphs import F32, call, random_graph, sound, stacks

ROOT = Path(__file__).parents[3]
HOSTILE = 'a"b\\n\\"];c<&>\x00\x1f\ny'


def read_back(graph: Graph) -> nx.MultiDiGraph:
    return nx.read_graphml(io.BytesIO(graphml(graph).encode()), force_multigraph=True)


@pytest.mark.parametrize("seed", range(20))
def test_networkx_reads_graphml_back(seed: int) -> None:
    graph = random_graph(seed)
    back = read_back(graph)
    assert back.is_directed()
    assert list(back.nodes) == [node.name for node in graph.nodes]
    for node in graph.nodes:
        assert (back.nodes[node.name]["op"], back.nodes[node.name]["target"]) == (node.op, node.target)
    expected = sorted((graph.nodes[e.source].name, graph.nodes[e.user].name, e.slot) for e in edges(graph))
    assert sorted(back.edges(data="slot")) == expected


def test_graphml_holds_what_xml_cannot_say() -> None:
    graph = sound(Graph("export.0", HOSTILE, 0, (Node("x", "placeholder", HOSTILE),)))
    assert read_back(graph).nodes["x"]["target"] == 'a"b\\n\\"];c<&>\ufffd\ufffd\ny'


# ------------------------------------------------------------------------------------------------------------------- dot

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|->|[\[\]{}=;,]|[\w.]+', re.DOTALL)


class Dot:
    """Reads the part of DOT that is written here: statements, attributes, clusters."""

    def __init__(self, text: str) -> None:
        spaces = TOKEN.sub("", text)
        assert spaces.strip() == "", f"no DOT: {spaces.strip()[:80]!r}"
        self.tokens = TOKEN.findall(text)
        self.inside: dict[str, tuple[str, ...]] = {}
        self.attributes: dict[str, dict[str, str]] = {}
        self.edges: Counter[tuple[str, str, str]] = Counter()
        self.read()

    def read(self) -> None:
        at, stack = 0, []
        tokens = self.tokens
        while at < len(tokens):
            token = tokens[at]
            if token in ("digraph", "subgraph"):
                assert tokens[at + 2] == "{"
                stack.append(tokens[at + 1])
                at += 3
            elif token == "}":
                stack.pop()
                at += 1
            elif tokens[at + 1] == "=":
                assert tokens[at + 3] == ";"
                at += 4
            else:
                at = self.statement(at, tuple(stack))
        assert stack == []

    def statement(self, at: int, stack: tuple[str, ...]) -> int:
        tokens = self.tokens
        names = [tokens[at]]
        at += 1
        if tokens[at] == "->":
            names.append(tokens[at + 1])
            at += 2
        assert tokens[at] == "["
        end = tokens.index("]", at)
        parts = [token for token in tokens[at + 1 : end] if token not in "=,"]
        attributes = dict(zip(parts[::2], parts[1::2], strict=True))
        if len(names) == 2:
            self.edges[(names[0], names[1], attributes["slot"])] += 1
        elif names[0] not in ("graph", "node", "edge"):
            assert names[0] not in self.attributes, "written twice"
            self.inside[names[0]], self.attributes[names[0]] = stack[1:], attributes
        assert tokens[end + 1] == ";"
        return end + 2


@pytest.mark.parametrize("seed", range(20))
def test_dot_has_every_node_in_the_clusters_of_its_modules_and_every_edge(seed: int) -> None:
    graph = random_graph(seed)
    read = Dot(dot(graph))
    placed = groups(graph, edges(graph))
    assert list(read.inside) != [] and set(read.inside) == {quoted(node.name) for node in graph.nodes}
    for node, group in zip(graph.nodes, placed.group, strict=True):
        around = []
        while group > 0:
            around.append(quoted(f"cluster_{placed.modules[group].path}"))
            group = placed.modules[group].parent
        assert read.inside[quoted(node.name)] == tuple(reversed(around))
    assert read.edges == Counter(
        (quoted(graph.nodes[e.source].name), quoted(graph.nodes[e.user].name), quoted(e.slot)) for e in edges(graph)
    )


def test_dot_labels_say_operator_and_type() -> None:
    nodes = (Node("x", "placeholder", "x", value=F32), call("mul", "aten.mul.Tensor", 0, 0, value=F32))
    read = Dot(dot(sound(Graph("export.0", "g", 0, nodes, modules=stacks("")))))
    assert read.attributes['"mul"']["label"] == r'"mul\nf32[2, 3]"'
    assert read.attributes['"mul"']["class"] == '"pointwise"'


def test_dot_takes_hostile_texts_literally() -> None:
    read = Dot(dot(sound(Graph("export.0", HOSTILE, 0, (Node("x", "placeholder", HOSTILE),)))))
    assert read.attributes['"x"']["target"] == '"a\\"b\\\\n\\\\\\"];c<&>\ufffd\ufffd\\ny"'


def test_dot_has_the_colours_of_the_page() -> None:
    css = (ROOT / "static" / "css" / "graph.css").read_text()
    light = css.split('[data-theme="dark"]')[0]
    assert dict(re.findall(r"--kind-([\w-]+): (#\w+);", light)) == COLOURS
    assert tuple(COLOURS) == KINDS


def test_deep_modules_are_no_matter() -> None:
    path = ".".join(["a"] * 3000)
    graph = sound(Graph("export.0", "g", 0, (call("n", "aten.sin.default"),), modules=stacks(path)))
    text = dot(graph)
    assert text.count("{") == text.count("}")
