"""A part of the folding: takes a graph's nodes with their places, returns its blocks and what each of them computes.

A block is a module's nodes of one half, nested ones too. Two blocks are identical when their nodes, in execution order, do
the same to values of the same dtypes and shapes, in submodules of the same names, with the same parameters by those names,
wired in the same way, and when the same of their values are used outside. The comparison is of all these facts, not of a
digest of them: no two blocks can be taken for identical by accident. Names of nodes, strides and source lines may differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphcap.analyses.groups import Groups, is_backward
from graphcap.analyses.labels import type_text
from graphcap.graph.document import Arg, Graph, Map, Node, Ref, Seq
from graphcap.graph.edges import Edge

GIVEN = ("placeholder", "get_attr")
OWNED = ("parameter", "buffer", "constant")
"""What a block has by a dotted name; other values that are given have the names of nodes elsewhere."""

CUT_STAGES = ("forward", "backward")
"""Stages whose graphs are one half: what little of the other is in them is no block of its own."""

WHOLE = 1_000_000  # parts of a tuple: its type is compared whole


class Block(NamedTuple):
    """`nodes` ascending; `start`: the first one that computes something."""

    module: int
    backward: bool
    nodes: tuple[int, ...]
    start: int


class Wiring:
    """The nodes of a graph with everything that is asked of them many times, each made once."""

    def __init__(self, graph: Graph, uses: Sequence[Edge], placed: Groups, chips: Sequence[int]) -> None:
        self.nodes = graph.nodes
        self.modules = placed.modules
        self.group = placed.group
        self.chips = chips
        self.sources: list[list[int]] = [[] for _ in graph.nodes]
        self.users: list[list[int]] = [[] for _ in graph.nodes]
        for edge in uses:
            self.sources[edge.user].append(edge.source)
            self.users[edge.source].append(edge.user)
        self.backward = self._halves(graph.id)
        numbers: dict[object, int] = {}
        self.type = [numbers.setdefault(type_text(node.value, WHOLE), len(numbers)) for node in graph.nodes]
        self.fact = [numbers.setdefault(_facts(node), len(numbers)) for node in graph.nodes]

    def _halves(self, gid: str) -> list[bool]:
        """Which nodes belong to the backward of a graph that holds both; a value that is given goes with its users."""
        if any(stage in gid.split("/", 1)[0].split(".") for stage in CUT_STAGES):
            return [False] * len(self.nodes)
        found = [is_backward(node) for node in self.nodes]
        for i, node in enumerate(self.nodes):
            if node.op in GIVEN:
                users = [found[user] for user in self.users[i] if self.nodes[user].op != "output"]
                found[i] = bool(self.users[i]) and all(users)
        return found

    def signature(self, block: Block) -> tuple[object, ...]:
        """Everything in which identical blocks agree."""
        base = self.modules[block.module].path
        local = {node: k for k, node in enumerate(block.nodes)}
        outer: dict[int, int] = {}
        rows: list[object] = []
        for i in block.nodes:
            node = self.nodes[i]
            wires = tuple(local[j] if j in local else -1 - outer.setdefault(j, len(outer)) for j in self.sources[i])
            name = _below(node.placeholder.name, base) if node.placeholder and node.placeholder.kind in OWNED else ""
            where = _below(self.modules[self.group[i]].path, base)
            tapped = any(user not in local for user in self.users[i])
            rows.append((self.fact[i], self.type[i], wires, name, where, tapped))
        return (*rows, tuple(self.type[i] for i in outer))


def sibling_blocks(wiring: Wiring) -> Iterator[list[Block]]:
    """Blocks that may be identical: of one parent, one class, one half and one size; outer ones first."""
    held = _held(wiring)
    children: dict[tuple[int, str, bool, int], list[Block]] = defaultdict(list)
    for (module, backward), nodes in held.items():
        parent = wiring.modules[module].parent
        start = next((i for i in nodes if wiring.nodes[i].op not in GIVEN), -1)
        if parent >= 0 and start >= 0:
            key = (parent, wiring.modules[module].cls, backward, len(nodes))
            children[key].append(Block(module, backward, tuple(nodes), start))
    yield from (children[key] for key in sorted(children, key=lambda key: key[0]))


def _held(wiring: Wiring) -> dict[tuple[int, bool], list[int]]:
    """The nodes of every block. The depth of modules is limited (`MAX_GROUP_DEPTH`), so this stays linear in nodes."""
    parent = [module.parent for module in wiring.modules]
    held: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for i, group in enumerate(wiring.group):
        while group > 0:
            held[group, wiring.backward[i]].append(i)
            group = parent[group]
    return held


def _below(name: str, base: str) -> str:
    """What is left of a dotted name below a module; a name from elsewhere stays whole, behind a slash."""
    return name[len(base) :] if name == base or name.startswith(f"{base}.") else f"/{name}"


def _facts(node: Node) -> tuple[object, ...]:
    """What a node does, without what it does it to."""
    if node.op in GIVEN:
        return (node.op, node.placeholder and node.placeholder.kind, "" if node.placeholder else node.target)
    args = [fact for i, arg in enumerate(node.args) for fact in _constants(arg, str(i))]
    named = [fact for name, arg in node.kwargs for fact in _constants(arg, name)]
    return (node.op, node.target, node.bodies, *args, *named)


def _constants(arg: Arg, slot: str) -> Iterator[tuple[str, str]]:
    """The parts of an argument with their slots. A body is told by its GID: blocks that run bodies are never identical."""
    pending: list[tuple[Arg, str]] = [(arg, slot)]
    while pending:
        item, where = pending.pop()
        if isinstance(item, Ref):
            yield where, "node"
        elif isinstance(item, Seq):
            yield where, f"{item.type} of {len(item.items)}"
            pending.extend((part, f"{where}[{i}]") for i, part in reversed(list(enumerate(item.items))))
        elif isinstance(item, Map):
            yield where, f"dict of {len(item.items)}"
            pending.extend((part, f"{where}[{key}]") for key, part in reversed(item.items))
        else:
            yield where, repr(item)
