"""What must hold in a document beyond its types. The capture process is hostile: nothing it says is taken on trust.

Before: bytes decoded into `Stage`. After: every index points inside its table, every id is unique and well formed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import msgspec.structs

from graphcap.graph.codec import DocumentError, encode
from graphcap.graph.document import Arg, Graph, GraphRef, Map, Node, Recompile, Ref, Seq, Stage, StageId, Statistics, Tuple
from graphcap.graph.edges import node_refs

MAX_NODES = 200_000  # a 100,000-node graph is the largest the page is made for
MAX_EDGES = 1_000_000  # of one graph: an honest one has two or three for each node
MAX_GRAPHS = 2_000  # a function with 300 breaks in 3 stages stays below
MAX_TARGETS = 64
MAX_DEPTH = 32  # nesting of arguments and of values; torch's own pytrees stay below 10
MAX_WORDS = 8 << 20  # bytes of a stage's reasons, failures and titles: they stand in every answer about the capture
MAX_COUNT = 1 << 62  # elements of a tensor
MAX_REASON = 1_000  # characters of why there are no statistics
MAX_SPELLED = 128 << 20  # characters of names and slots when every use is written out; 10,000 honest nodes take 1 MiB

GID = re.compile(
    r"(?:(?P<target>t[1-9][0-9]{0,3})\.)?(?P<stage>[a-z_]+)\.(?P<fragment>[0-9]{1,5})"
    r"(?:\.r(?P<recompile>[1-9][0-9]{0,3}))?(?:\.(?P<variant>[a-z_]{1,40}))?"
    r"(?P<body>(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9_.\-]{1,200}){0,16})"
)


def check_stage(stage: Stage, target: str, max_nodes: int = MAX_NODES) -> None:
    """Raises DocumentError with the graph and node at fault."""
    if len(stage.graphs) > MAX_GRAPHS:
        raise DocumentError(f"{stage.id}: {len(stage.graphs)} graphs, more than {MAX_GRAPHS}")
    words = len(encode(msgspec.structs.replace(stage, graphs=(), breaks=(), guards=(), recompiles=())))
    if words + sum(len(graph.title) for graph in stage.graphs) > MAX_WORDS:
        raise DocumentError(f"{stage.id}: its reasons, failures and titles are longer than {MAX_WORDS} bytes")
    check_graphs(stage.graphs, target, stage.id, frozenset())
    check_recompiles(stage.recompiles, len(stage.guards))
    if sum(len(graph.nodes) for graph in stage.graphs) > max_nodes:
        raise DocumentError(f"{stage.id}: more than {max_nodes} nodes")


def check_graphs(graphs: Sequence[Graph], target: str, stage: StageId, before: frozenset[str]) -> frozenset[str]:
    """Graphs of a stage that has those named `before`; the names of all."""
    seen = set(before)
    for graph in graphs:
        if not _says_what_it_is(graph, stage):
            raise DocumentError(f"{stage}: {graph.id[:80]!r} is no id of a graph of this stage")
        if gid_target(graph.id) != target:
            raise DocumentError(f"{graph.id[:80]!r} is not of target {target}")
        if graph.id in seen:
            raise DocumentError(f"two graphs are called {graph.id!r}")
        seen.add(graph.id)
    for graph in graphs:
        check_graph(graph, seen)
    return frozenset(seen)


def _says_what_it_is(graph: Graph, stage: StageId) -> bool:
    """The GID is well formed, and names the graph's own stage, fragment, recompile and variant."""
    match = GID.fullmatch(graph.id)
    if match is None:
        return False
    said = (match["stage"], int(match["fragment"]), int(match["recompile"] or 0), match["variant"] or "")
    return said == (stage, graph.fragment, graph.recompile, graph.variant)


def check_recompiles(recompiles: Sequence[Recompile], guards: int) -> None:
    """Every guard that failed is among the stage's."""
    for recompile in recompiles:
        if any(not -1 <= failed.guard < guards for failed in recompile.failed):
            raise DocumentError(f"recompile {recompile.recompile} of fragment {recompile.fragment}: no such guard")


def gid_target(gid: str) -> str:
    """`t1` for `export.0`, `t2` for `t2.export.0`."""
    head = gid.split(".", 1)[0]
    return head if re.fullmatch(r"t[1-9][0-9]*", head) else "t1"


def check_graph(graph: Graph, siblings: set[str]) -> None:
    """One graph: tables, names, references. `siblings` are the GIDs its bodies may have."""

    def fail(what: str) -> None:
        raise DocumentError(f"{graph.id}: {what}")

    names: set[str] = set()
    spelled = uses = 0
    for i, node in enumerate(graph.nodes):
        if node.name in names or not node.name:
            fail(f"node {i} has the name {node.name[:80]!r}, which is empty or taken")
        names.add(node.name)
        check_depth(node)
        if node.placeholder is not None and node.placeholder.statistics is not None:
            check_statistics(node.name, node.placeholder.statistics)
        spelled += _spelled(graph, node)
        if spelled > MAX_SPELLED:
            fail(f"{node.name[:80]}: the names in its arguments are too long to write out")
        if not -1 <= node.stack < len(graph.stacks):
            fail(f"{node.name}: stack {node.stack} of {len(graph.stacks)}")
        if not -1 <= node.module < len(graph.modules):
            fail(f"{node.name}: module {node.module} of {len(graph.modules)}")
        if not -1 <= node.schema < len(graph.schemas):
            fail(f"{node.name}: schema {node.schema} of {len(graph.schemas)}")
        for source, slot in node_refs(node):
            uses += 1
            if not 0 <= source < i:
                fail(f"{node.name}: argument {slot[:80]} refers to node {source}, which does not come before it")
        if uses > MAX_EDGES:
            fail(f"more than {MAX_EDGES} edges")
        for body in (*node.bodies, *_graph_refs(node)):
            if body not in siblings:
                fail(f"{node.name}: body {body[:80]!r} is not in the stage")
        for output in node.returns:
            if output.node is not None and not 0 <= output.node < i:
                fail(f"output refers to node {output.node}")
    if graph.parent and graph.parent not in siblings:
        fail(f"parent {graph.parent[:80]!r} is not in the stage")
    sizes = [len(frame.file) + len(frame.function) + len(frame.code) + len(frame.place) for frame in graph.frames]
    for stack in graph.stacks:
        if any(not 0 <= frame < len(graph.frames) for frame in stack):
            fail("a stack refers to a frame that is not there")
        if len(stack) + sum(sizes[frame] for frame in stack) > MAX_SPELLED:
            fail("a stack is too long to write out")
    for text, lines in ((graph.text, graph.text_lines), (graph.readable, graph.readable_lines)):
        if lines and len(lines) != len(text.split("\n")):
            fail(f"{len(lines)} line marks for {len(text.split(chr(10)))} lines of text")
        if any(not -1 <= line < len(graph.nodes) for line in lines):
            fail("a line of text refers to a node that is not there")


def _spelled(graph: Graph, node: Node) -> int:
    """Characters of its uses once written out. A name or a key stands once in the document, but at every use in an answer:
    without a limit half a megabyte becomes gigabytes. Counts lengths only, so that finding out costs nothing of the kind.
    """
    nodes, total = graph.nodes, 0
    pending: list[tuple[Arg, int]] = [(arg, 8) for arg in node.args]
    pending += [(arg, len(name)) for name, arg in node.kwargs]
    while pending and total <= MAX_SPELLED:
        item, slot = pending.pop()
        if isinstance(item, Ref):
            total += slot + len(node.name) + (len(nodes[item.node].name) if 0 <= item.node < len(nodes) else 0)
        elif isinstance(item, Seq):
            pending.extend((part, slot + 8) for part in item.items)
        elif isinstance(item, Map):
            pending.extend((part, slot + len(key)) for key, part in item.items)
    returned = (output.node for output in node.returns if output.node is not None)
    return total + sum(len(nodes[i].name) for i in returned if 0 <= i < len(nodes))


def _graph_refs(node: Node) -> list[str]:
    pending, found = [*node.args, *(arg for _, arg in node.kwargs)], []
    while pending:
        item = pending.pop()
        if isinstance(item, GraphRef):
            found.append(item.graph)
        elif isinstance(item, Seq):
            pending.extend(item.items)
        elif isinstance(item, Map):
            pending.extend(part for _, part in item.items)
    return found


def check_statistics(name: str, found: Statistics) -> None:
    """Numbers that can be of one tensor: finite, so that JSON has a word for each, and in their order."""
    counts = (found.zeros, found.nan, found.infinite)
    if not 0 <= found.count <= MAX_COUNT or any(each < 0 for each in counts) or sum(counts) > found.count:
        raise DocumentError(f"{name[:80]}: its statistics count {counts} of {found.count} elements")
    numbers = (found.min, found.max, found.mean, found.std)
    if not all(each is None or math.isfinite(each) for each in numbers) or (found.std or 0) < 0:
        raise DocumentError(f"{name[:80]}: its statistics {numbers} are not all finite, or std is negative")
    ordered = [each for each in (found.min, found.mean, found.max) if each is not None]
    if ordered != sorted(ordered):
        raise DocumentError(f"{name[:80]}: min, mean and max of its statistics are not in order: {ordered}")
    if len(found.reason) > MAX_REASON:
        raise DocumentError(f"{name[:80]}: the reason why it has no statistics is longer than {MAX_REASON} characters")


def check_depth(node: Node) -> None:
    """Refuses arguments and values nested deeper than MAX_DEPTH."""
    pending: list[tuple[object, int]] = [(arg, 1) for arg in node.args]
    pending += [(arg, 1) for _, arg in node.kwargs]
    if node.value is not None:
        pending.append((node.value, 1))
    while pending:
        item, depth = pending.pop()
        if depth > MAX_DEPTH:
            raise DocumentError(f"{node.name[:80]}: nested deeper than {MAX_DEPTH}")
        if isinstance(item, Seq | Tuple):
            pending.extend((part, depth + 1) for part in item.items)
        elif isinstance(item, Map):
            pending.extend((part, depth + 1) for _, part in item.items)
