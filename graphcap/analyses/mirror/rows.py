"""One of the analyses: takes both halves of a cut and what is saved between them, returns the modules of both as one tree.

A row is a module: what of it is in the forward, in the backward, and between. Numbers of a row include the rows inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import astuple

from graphcap.analyses.groups import Group, groups, module_tree
from graphcap.analyses.mirror.partition import Partition, positions
from graphcap.graph.document import Graph
from graphcap.graph.edges import edges


class Row(msgspec.Struct, frozen=True):
    """One module. `parent` is an index into the rows, -1 for the root; `forward` and `backward` count calls."""

    path: str
    cls: str
    parent: int
    forward: int
    backward: int
    saved: int
    bytes: int
    unknown: int
    recomputed: int


def rows(forward: Graph, backward: Graph, cut: Partition) -> tuple[Row, ...]:
    """The modules of both graphs, parents first, the root first of all, else in the order of the forward."""
    ahead, back = groups(forward, edges(forward)), groups(backward, edges(backward))
    tree, _ = module_tree(Graph("", "", 0, (), modules=(*forward.modules, *backward.modules)))
    index = {module.path: i for i, module in enumerate(tree)}
    counts = (
        _calls(forward, ahead.modules, ahead.group, index),
        _calls(backward, back.modules, back.group, index),
        _tally(index, (each.module for each in cut.saved if each.storage >= 0)),
        _tally(index, (each.module for each in cut.recomputed)),
    )
    for column in counts:
        for i in range(len(tree) - 1, 0, -1):
            column[tree[i].parent] += column[i]
    known, unknown = _memory(tree, index, cut)
    ahead_calls, back_calls, saved, again = counts
    return tuple(
        Row(path, cls, parent, ahead_calls[i], back_calls[i], saved[i], known[i], unknown[i], again[i])
        for i, (path, cls, parent) in enumerate(map(astuple, tree))
    )


def _calls(graph: Graph, modules: Sequence[Group], group: Sequence[int], index: dict[str, int]) -> list[int]:
    return _tally(
        index, (modules[g].path for g, node in zip(group, graph.nodes, strict=True) if node.op.startswith("call_"))
    )


def _tally(index: dict[str, int], paths: Iterable[str]) -> list[int]:
    found = [0] * len(index)
    for path in paths:
        found[index[path]] += 1
    return found


def _memory(tree: Sequence[Group], index: dict[str, int], cut: Partition) -> tuple[list[int], list[int]]:
    """Bytes of the storages that the saved tensors of every row lie in, and how many of unknown size; each once a row."""
    known, unknown = [0] * len(tree), [0] * len(tree)
    for storage in cut.storages:
        touched: set[int] = set()
        for k in storage.saved:
            row = index[cut.saved[k].module]
            while row >= 0 and row not in touched:
                touched.add(row)
                row = tree[row].parent
        for row in touched:
            known[row] += storage.bytes or 0
            unknown[row] += storage.bytes is None
    return known, unknown


def kin(forward: Graph, backward: Graph) -> list[int]:
    """For every node of the backward the node of the forward it belongs to, or -1: the one of its name, else the last one
    with its sequence number in its module, else the last one with its number.
    """
    names = positions(forward)
    by_number: dict[tuple[int, str], int] = {}
    modules = _module_paths(forward)
    for i, node in enumerate(forward.nodes):
        if node.origin and node.origin.seq_nr is not None and node.op.startswith("call_"):
            by_number[node.origin.seq_nr, ""] = by_number[node.origin.seq_nr, f"={modules[i]}"] = i
    found = []
    for node, path in zip(backward.nodes, _module_paths(backward), strict=True):
        number = node.origin.seq_nr if node.origin else None
        if node.name in names and node.op != "output":
            found.append(names[node.name])
        elif number is None or node.op == "output":
            found.append(-1)
        else:
            found.append(by_number.get((number, f"={path}"), by_number.get((number, ""), -1)))
    return found


def _module_paths(graph: Graph) -> list[str]:
    """The module torch recorded for every node; "" for none."""
    of_stack = [stack[-1].path if stack else "" for stack in graph.modules]
    return [of_stack[node.module] if node.module >= 0 else "" for node in graph.nodes]
