"""One of the analyses: takes a Graph with its nodes' places, returns which of its blocks are identical: one stands for all.

Identical is what `blocks.py` says. Blocks in a row (the output of one is the input of the next) and side by side (the
experts of a mixture) both count. Between two of them nothing may lie: where a node outside needs one block and is needed by
another, drawing both as one would make a circle of what is none, so the row ends there and another begins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from graphcap.analyses.folding.blocks import Block, Wiring, sibling_blocks
from graphcap.analyses.groups import Groups
from graphcap.graph.document import Graph
from graphcap.graph.edges import Edge

LEAST_COPIES = 3  # two are as quickly read as "x2", and folding them hides how one feeds the other
LEAST_NODES = 2  # drawn ones in a block: a single node is no block


class Copy(msgspec.Struct, frozen=True):
    """One of several identical blocks: its module, and its nodes as pairs of a first index and a count."""

    module: int
    nodes: list[int]


class Repeat(msgspec.Struct, frozen=True):
    """Identical blocks, first modules first. The k-th node of each is the k-th of all others.

    `backward`: they are the backward halves of their modules.
    """

    backward: bool
    copies: list[Copy]


def repeats(graph: Graph, uses: Sequence[Edge], placed: Groups, chips: Sequence[int]) -> list[Repeat]:
    """Rows of identical blocks; blocks around others come first. `chips[i]` is 1 for nodes that fold into their users."""
    wiring = Wiring(graph, uses, placed, chips)
    found: list[Repeat] = []
    for siblings in sibling_blocks(wiring):
        if len(siblings) < LEAST_COPIES or _drawn(wiring, siblings[0]) < LEAST_NODES:
            continue
        alike: dict[tuple[object, ...], list[Block]] = defaultdict(list)
        for block in siblings:
            alike[wiring.signature(block)].append(block)
        rows = (row for blocks in alike.values() if len(blocks) >= LEAST_COPIES for row in _rows(wiring, blocks))
        found.extend(_repeat(row) for row in rows if len(row) >= LEAST_COPIES)
    return found


def _drawn(wiring: Wiring, block: Block) -> int:
    return sum(not wiring.chips[i] for i in block.nodes)


def _repeat(row: list[Block]) -> Repeat:
    row = sorted(row, key=lambda block: block.module)
    return Repeat(row[0].backward, [Copy(block.module, _ranges(block.nodes)) for block in row])


def _ranges(nodes: Sequence[int]) -> list[int]:
    """`[3, 4, 5, 9]` as `[3, 3, 9, 1]`."""
    found: list[int] = []
    for i in nodes:
        if found and found[-2] + found[-1] == i:
            found[-1] += 1
        else:
            found += [i, 1]
    return found


def _rows(wiring: Wiring, blocks: list[Block]) -> list[list[Block]]:
    """The blocks in execution order, cut wherever a way leads from one through nodes outside to the next.

    One walk from the first block's first call to the last block's last: a way between blocks stays inside.
    """
    blocks = sorted(blocks, key=lambda block: block.start)
    owner = {node: k for k, block in enumerate(blocks) for node in block.nodes}
    row = [-1] * len(blocks)  # in which row each block is, once it began
    after: dict[int, int] = {}  # node outside -> the last row that it needs something of
    current = 0
    for node in range(blocks[0].start, max(block.nodes[-1] for block in blocks) + 1):
        sources = wiring.sources[node]
        block = owner.get(node, -1)
        if block >= 0:
            if row[block] < 0:
                row[block] = current
            if any(_row_of(source, owner, row, after) > row[block] - (source not in owner) for source in sources):
                current += 1
                row[block] = current
            continue
        last = max((_row_of(source, owner, row, after) for source in sources), default=-1)
        if last >= 0:
            after[node] = last
    found: dict[int, list[Block]] = defaultdict(list)
    for block, number in enumerate(row):
        found[number].append(blocks[block])
    return list(found.values())


def _row_of(node: int, owner: dict[int, int], row: list[int], after: dict[int, int]) -> int:
    """The last row that a node lies in or needs something of; -1: none."""
    return row[owner[node]] if node in owner else after.get(node, -1)
