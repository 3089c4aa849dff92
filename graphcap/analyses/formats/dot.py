"""One of the analyses: takes a Graph, returns it in Graphviz' DOT language: modules as clusters, nodes with their types.

Node ids are FX names; the nodes of a cluster are those that the drawing puts into that module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphcap.analyses.groups import Group, groups
from graphcap.analyses.kinds import kind
from graphcap.analyses.labels import label, type_text
from graphcap.graph.document import Graph, Node
from graphcap.graph.edges import edges

SERIALIZER = "dot-1"

COLOURS = {
    "input": "#1583c7",
    "parameter": "#a09551",
    "buffer": "#596b38",
    "constant": "#524433",
    "output": "#171d28",
    "matmul": "#0d308f",
    "conv": "#5f46bb",
    "pointwise": "#508965",
    "reduction": "#ba6c00",
    "view": "#8694a4",
    "random": "#8f447c",
    "higher-order": "#8f0e04",
    "symbolic": "#6a255a",
    "other": "#b6b9bd",
}
"""Outline of a node by its kind: the colours of the page's light theme."""

HEAD = """  graph [rankdir=TB, fontname="Helvetica", fontsize=12, labeljust=l, style=rounded, color="#c3cbd6"];
  node [shape=box, style=rounded, fontname="Helvetica", fontsize=10, margin="0.12,0.06"];
  edge [color="#566273", arrowsize=0.6, fontname="Helvetica", fontsize=8];"""

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def dot(graph: Graph) -> str:
    """The whole document."""
    uses = edges(graph)
    placed = groups(graph, uses)
    lines = [f"digraph {quoted(graph.id)} {{", HEAD, f"  label={quoted(f'{graph.title} · {graph.id}')};"]
    lines += _clusters(graph, placed.modules, placed.group)
    lines += (
        f"  {quoted(graph.nodes[each.source].name)} -> {quoted(graph.nodes[each.user].name)} [slot={quoted(each.slot)}];"
        for each in uses
    )
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    """A text as a DOT string that means it literally, in labels too, where backslashes are escapes."""
    plain = UNPRINTABLE.sub("\ufffd", text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + plain.replace("\r", "").replace("\n", "\\n") + '"'


def _clusters(graph: Graph, modules: tuple[Group, ...], group: tuple[int, ...]) -> Iterator[str]:
    """The nodes, each inside the clusters of its modules. Module 0 is the graph itself."""
    children: list[list[int]] = [[] for _ in modules]
    for index, module in enumerate(modules):
        if module.parent >= 0:
            children[module.parent].append(index)
    held: list[list[Node]] = [[] for _ in modules]
    for node, index in zip(graph.nodes, group, strict=True):
        held[max(0, index)].append(node)
    pending: list[tuple[int, int, bool]] = [(0, 1, True)]
    while pending:
        index, depth, opens = pending.pop()
        space = "  " * depth
        if not opens:
            yield f"{space}}}"
            continue
        inside = space
        if index:
            yield f"{space}subgraph {quoted(f'cluster_{modules[index].path}')} {{"
            inside = f"{space}  "
            yield f"{inside}label={quoted(_title(modules[index]))};"
            pending.append((index, depth, False))
        for node in held[index]:
            yield f"{inside}{_node(node)}"
        pending += ((child, depth + 1 if index else depth, True) for child in reversed(children[index]))


def _title(module: Group) -> str:
    return f"{module.path} ({module.cls})" if module.cls else module.path


def _node(node: Node) -> str:
    text, its_kind = label(node), kind(node)
    value = type_text(node.value)
    shown = quoted(f"{text}\n{value}" if value else text)
    return (
        f"{quoted(node.name)} [label={shown}, color={quoted(COLOURS[its_kind])}, "
        f"class={quoted(its_kind)}, op={quoted(node.op)}, target={quoted(node.target)}];"
    )
