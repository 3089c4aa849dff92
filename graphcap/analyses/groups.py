"""One of the analyses: takes a Graph and its edges, returns its tree of modules and the group to draw each node in.

The group of a node is the module torch recorded for it. Torch records none for many nodes; drawn at the top they would pull
apart every layout (of 10,041 nodes of a joint graph 232 did), so each is given one:

- a parameter, buffer, constant or saved tensor goes to the smallest group that holds all its users;
- inputs, tangents and the output stay at the top, where a reader looks for them;
- a backward node goes where the forward node with its `seq_nr` is;
- a gradient accumulation (an `add` that differentiates nothing, with a `seq_nr` that means nothing) goes to the smallest
  group around what it adds; where that is the top, to the smallest around one of these and one of its users; where that is
  the top too, around its users. So does a backward node without any link;
- any other node without a module was written in the top module's own `forward`: Dynamo records no module there.

Linear in nodes, edges and tables; nothing is recursive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from graphcap.analyses.labels import op_name
from graphcap.graph.document import Graph, Node
from graphcap.graph.edges import Edge

MAX_GROUP_DEPTH = 64  # of nested groups; deeper modules hang below the 64th, so that a hostile document costs no more

MAX_NEIGHBOURS = 8  # on each side, when pairs of them are looked at; gradients are added two at a time

BACKWARD_TAGS = ("is_backward", "must_be_in_backward")
STAYS_AT_TOP = ("input", "tangent", "token", "other")


class Group(msgspec.Struct, frozen=True):
    """A module that owns nodes. `parent` is an index into the same list, -1 for the root, which is always first."""

    path: str
    cls: str
    parent: int


class Groups(NamedTuple):
    """`module[i]`: what torch recorded for node i, or -1; `group[i]`: where to draw it. Both index `modules`."""

    modules: tuple[Group, ...]
    module: tuple[int, ...]
    group: tuple[int, ...]


def groups(graph: Graph, edges: Sequence[Edge]) -> Groups:
    """The module tree of a graph and the place of every node in it."""
    tree, of_stack = module_tree(graph)
    recorded = [of_stack[node.module] if node.module >= 0 else -1 for node in graph.nodes]
    return Groups(tree, tuple(recorded), tuple(_place(graph.nodes, edges, tree, recorded)))


def is_backward(node: Node) -> bool:
    """Whether torch says that the node belongs to the backward."""
    origin = node.origin
    if origin is None:
        return False
    return origin.partitioner_tag in BACKWARD_TAGS or (origin.autograd_backward and not origin.partitioner_tag)


# --------------------------------------------------------------------------------------------------------- the module tree


def module_tree(graph: Graph) -> tuple[tuple[Group, ...], list[int]]:
    """The modules of all stacks as a tree, parents first, else in the order of the table; and the module of each stack."""
    classes: dict[str, str] = {"": ""}
    for stack in graph.modules:
        for module in stack:
            classes[module.path] = classes.get(module.path) or module.cls
    parents = _parents(classes)
    index: dict[str, int] = {}
    tree: list[Group] = []
    for path in classes:
        missing = []
        while path not in index and path:
            missing.append(path)
            path = parents[path]
        if not index:
            missing.append("")
        for each in reversed(missing):
            index[each] = len(tree)
            tree.append(Group(each, classes[each], index[parents[each]] if each else -1))
    return tuple(tree), [index[stack[-1].path] if stack else 0 for stack in graph.modules]


def _parents(paths: Iterable[str]) -> dict[str, str]:
    """For every path its longest proper prefix among the others, by dotted parts.

    By path, not by who called whom: a module reached through another one is still drawn where it lives.
    """
    parents: dict[str, str] = {}
    open_paths: list[tuple[list[str], str]] = []  # sorted order visits a subtree right after its root
    for parts, path in sorted((path.split("."), path) for path in paths if path):
        while open_paths and parts[: len(open_paths[-1][0])] != open_paths[-1][0]:
            open_paths.pop()
        parents[path] = open_paths[-1][1] if open_paths else ""
        if len(open_paths) < MAX_GROUP_DEPTH:
            open_paths.append((parts, path))
    return parents


# ------------------------------------------------------------------------------------------------------ where to draw nodes


class _Ancestry:
    """Smallest groups that hold others."""

    def __init__(self, tree: Sequence[Group]) -> None:
        self._parent = [group.parent for group in tree]
        self._depth: list[int] = []
        for group in tree:
            self._depth.append(self._depth[group.parent] + 1 if group.parent >= 0 else 0)

    def common(self, members: Iterable[int]) -> int:
        """The smallest group that holds all members; -1 for no members."""
        found = -1
        for member in members:
            found = member if found < 0 else self._pair(found, member)
            if found == 0:
                break
        return found

    def deepest(self, members: Iterable[int]) -> int:
        """The member that lies deepest; -1 for no members."""
        return max(members, key=self._depth.__getitem__, default=-1)

    def _pair(self, a: int, b: int) -> int:
        while a != b:
            if self._depth[a] < self._depth[b]:
                a, b = b, a
            a = self._parent[a]
        return a


def _place(nodes: Sequence[Node], edges: Sequence[Edge], tree: Sequence[Group], recorded: Sequence[int]) -> list[int]:
    """-1 stands for "not known yet" until the last step."""
    ancestry = _Ancestry(tree)
    users: list[list[int]] = [[] for _ in nodes]
    sources: list[list[int]] = [[] for _ in nodes]
    for edge in edges:
        users[edge.source].append(edge.user)
        sources[edge.user].append(edge.source)
    calls = [node.op.startswith("call_") for node in nodes]
    place = _known(nodes, recorded)
    loose = [i for i, where in enumerate(place) if calls[i] and where < 0]
    for i in (*loose, *reversed(loose)):  # a second look, from the end: by now the users are placed
        if place[i] < 0:
            before = [place[j] for j in sources[i] if calls[j] and place[j] >= 0]
            after = [place[j] for j in users[i] if calls[j] and place[j] >= 0]
            place[i] = _between(ancestry, before, after)
    for i in range(len(nodes) - 1, -1, -1):
        if not calls[i] and place[i] < 0:
            place[i] = ancestry.common(max(place[j], 0) for j in users[i] if nodes[j].op != "output")
    return [max(where, 0) for where in place]


def _between(ancestry: _Ancestry, before: list[int], after: list[int]) -> int:
    """The place of a node among those of its sources and users; -1: only the top holds them."""
    pairs = (ancestry.common((a, b)) for a in before[:MAX_NEIGHBOURS] for b in after[:MAX_NEIGHBOURS])
    for found in (ancestry.common(before), ancestry.deepest(pairs), ancestry.common(after)):
        if found > 0:
            return found
    return -1


def _known(nodes: Sequence[Node], recorded: Sequence[int]) -> list[int]:
    """Places that need no neighbours."""
    forward: dict[int, int] = {}
    for node, module in zip(nodes, recorded, strict=True):
        if node.origin and node.origin.seq_nr is not None and node.op.startswith("call_") and not is_backward(node):
            forward.setdefault(node.origin.seq_nr, max(module, 0))
    return [_known_place(node, module, forward) for node, module in zip(nodes, recorded, strict=True)]


def _known_place(node: Node, module: int, forward: dict[int, int]) -> int:
    if node.op == "output":
        return 0
    if node.op == "placeholder":
        return 0 if node.placeholder is None or node.placeholder.kind in STAYS_AT_TOP else -1
    if module >= 0:
        return module
    if node.op == "get_attr":
        return -1
    if not is_backward(node) or node.origin is None:
        return 0
    if _accumulates(node):
        return -1
    if node.origin.seq_nr in forward:
        return forward[node.origin.seq_nr]
    return 0 if node.origin.source_fn else -1


def _accumulates(node: Node) -> bool:
    """A sum of two gradients: torch's engine adds them itself, so the node differentiates nothing and has no source."""
    return op_name(node) == "add" and node.origin is not None and not node.origin.source_fn
