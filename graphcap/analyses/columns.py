"""One of the analyses: takes a Graph, returns what a browser needs to draw it as arrays of equal length (docs/api.md).

`SERIALIZER` names the shape and the conclusions; it grows whenever either changes, so that kept answers are made again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from graphcap.analyses.folding.repeats import Repeat, repeats
from graphcap.analyses.groups import Group, groups, is_backward
from graphcap.analyses.kinds import KINDS, kind
from graphcap.analyses.labels import label, type_text
from graphcap.analyses.looking import measures
from graphcap.analyses.looking.decomposed import Call, calls
from graphcap.analyses.looking.outputs import carried, several
from graphcap.graph.check import gid_target
from graphcap.graph.document import Graph, GraphRef, Node, Origin, Seq
from graphcap.graph.edges import Edge, edges

SERIALIZER = "columns-5"

OPS = ("placeholder", "get_attr", "call_function", "call_method", "call_module", "output")
KIND_INDEX = {name: i for i, name in enumerate(KINDS)}
OP_INDEX = {name: i for i, name in enumerate(OPS)}
FOLDING = ("parameter", "buffer", "constant")
BODY = "higher-order"  # the kind of a `get_attr` that fetches the graph a higher-order op runs
NOTHING = Origin()


class NodeColumns(msgspec.Struct, frozen=True):
    """One entry per node in every column, in execution order."""

    name: list[str]
    op: list[int]
    target_s: list[int]
    label_s: list[int]
    kind: list[int]
    type_s: list[int]
    module: Sequence[int]
    group: Sequence[int]
    line: list[int]
    chip: list[int]
    backward: list[int]
    call: list[int]
    dtype_s: list[int]
    bytes: list[int]
    core: list[int]
    tag_s: list[int]
    original_s: list[int]


class EdgeColumns(msgspec.Struct, frozen=True):
    """One entry per use of a value in every column."""

    src: list[int]
    dst: list[int]
    slot_s: list[int]
    output: list[int]


class Columns(msgspec.Struct, frozen=True):
    """The columnar answer."""

    id: str
    title: str
    stage: str
    target: str
    fragment: int
    inference: bool
    parent: str
    strings: list[str]
    nodes: NodeColumns
    kinds: tuple[str, ...]
    modules: tuple[Group, ...]
    calls: tuple[Call, ...]
    lines: list[tuple[str, int]]
    edges: EdgeColumns
    bodies: list[tuple[int, str]]
    outputs: list[tuple[int, list[int]]]
    returns: list[tuple[int, str, str]]
    repeats: list[Repeat]


class _Strings:
    """A table that gives every string one index."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self._index.setdefault(text, len(self._index))

    def table(self) -> list[str]:
        return list(self._index)


def columns(graph: Graph) -> Columns:
    """Everything the drawing of one graph needs."""
    strings = _Strings()
    uses = edges(graph)
    lines, line = _lines(graph)
    placed = groups(graph, uses)
    kinds = [kind(node) for node in graph.nodes]
    decomposed = calls(graph.nodes)
    origins = [node.origin or NOTHING for node in graph.nodes]
    chips = _chips(graph.nodes, kinds, uses)
    nodes = NodeColumns(
        name=[node.name for node in graph.nodes],
        op=[OP_INDEX[node.op] for node in graph.nodes],
        target_s=[strings(node.target) for node in graph.nodes],
        label_s=[strings(label(node)) for node in graph.nodes],
        kind=[KIND_INDEX[name] for name in kinds],
        type_s=[strings(type_text(node.value)) for node in graph.nodes],
        module=placed.module,
        group=placed.group,
        line=line,
        chip=chips,
        backward=[int(is_backward(node)) for node in graph.nodes],
        call=decomposed.call,
        dtype_s=[strings(measures.dtype(node.value)) for node in graph.nodes],
        bytes=[measures.value_bytes(node.value) for node in graph.nodes],
        core=[measures.core(node) for node in graph.nodes],
        tag_s=[strings(origin.partitioner_tag) for origin in origins],
        original_s=[strings(origin.original_aten) for origin in origins],
    )
    return Columns(
        id=graph.id,
        title=graph.title,
        stage=stage_of(graph.id),
        target=gid_target(graph.id),
        fragment=graph.fragment,
        inference=graph.inference,
        parent=graph.parent,
        nodes=nodes,
        kinds=KINDS,
        modules=placed.modules,
        calls=decomposed.table,
        lines=lines,
        edges=EdgeColumns(
            [e.source for e in uses], [e.user for e in uses], [strings(e.slot) for e in uses], carried(graph, uses)
        ),
        bodies=[(i, gid) for i, node in enumerate(graph.nodes) for gid in bodies(node)],
        outputs=[(i, [strings(text) for text in types]) for i, types in several(graph)],
        returns=[(-1 if out.node is None else out.node, out.kind, out.name) for node in graph.nodes for out in node.returns],
        repeats=repeats(graph, uses, placed, chips),
        strings=strings.table(),
    )


def stage_of(gid: str) -> str:
    """`export` for `t2.export.0/true_graph_0`."""
    first, second = gid.split(".", 2)[:2]
    return second if gid_target(gid) == first else first


def bodies(node: Node) -> tuple[str, ...]:
    """GIDs of the graphs a node runs, each once, in order."""
    found = dict.fromkeys(node.bodies)
    for arg in (*node.args, *(value for _, value in node.kwargs)):
        for part in arg.items if isinstance(arg, Seq) else (arg,):
            if isinstance(part, GraphRef):
                found[part.graph] = None
    return tuple(found)


def _chips(nodes: Sequence[Node], kinds: Sequence[str], uses: Sequence[Edge]) -> list[int]:
    """1 for a parameter, buffer, constant or fetched body that is computed with; to be returned alone does not fold it."""
    used = bytearray(len(nodes))
    for edge in uses:
        if nodes[edge.user].op != "output":
            used[edge.source] = 1
    folding = [name in FOLDING or (name == BODY and nodes[i].op == "get_attr") for i, name in enumerate(kinds)]
    return [int(used[i] and folds) for i, folds in enumerate(folding)]


def _lines(graph: Graph) -> tuple[list[tuple[str, int]], list[int]]:
    """The table of the person's own lines, and for every node the innermost one of its stack, or -1."""
    table: dict[tuple[str, int], int] = {}
    of_stack = []
    for stack in graph.stacks:
        frame = next((graph.frames[i] for i in reversed(stack) if graph.frames[i].user), None)
        of_stack.append(-1 if frame is None else table.setdefault((frame.file, frame.line), len(table)))
    return list(table), [of_stack[node.stack] if node.stack >= 0 else -1 for node in graph.nodes]
