"""Links by `from_node`: torch wrote down the name of the node that a node was made from, and the id of that node's graph.

The ids are Python's and stand for nothing by themselves. Names repeat: each body of a higher-order op has its own `linear`.
So an id is first given a home: the one graph that has all the nodes it names, on the same lines. (The id of each graph
would say it, but Dynamo's graph is captured by another process than the joint graph.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from graphcap.analyses.columns import bodies
from graphcap.analyses.links.lines import Line, line_keys
from graphcap.analyses.links.pairs import Exact
from graphcap.analyses.links.places import above
from graphcap.graph.document import Graph, Node, Source

TOP_PASSES = ("ExportedProgram.module", "Interpreter_PropagateUnbackedSymInts")
"""Beginnings of the names of passes that torch runs on a whole program, and not on the body of a higher-order op."""

MAX_LOOKS = 5_000_000  # for a name in a graph: about a second. 10,000 honest nodes with thirty bodies stay below.

Homes = Mapping[int, str]
"""Id of a graph in `from_node` -> GID of the graph it stands for."""


class Made:
    """What a family of graphs (a top graph and its bodies) was made from another. A graph of the one may be linked with any
    of the other's, since a body may have been inlined. `later` is the family in which nodes stand as they were made."""

    def __init__(self, earlier: Sequence[Graph], later: Sequence[Graph]) -> None:
        self._earlier = earlier
        self._homes = find_homes(earlier, later)
        self._names = {graph.id: {node.name: i for i, node in enumerate(graph.nodes)} for graph in earlier}

    def links(self, a: Graph, b: Graph) -> Exact:
        """Links from nodes of `a` to the nodes of `b` made from them. A higher-order op of `a` is linked with what became of
        its bodies."""
        below = runs_below(a, self._earlier)
        found: Exact = {}
        for j, node in enumerate(b.nodes):
            home, name = _source(node, self._homes)
            if home == a.id and name in self._names[home]:
                found[self._names[home][name], j] = "from_node"
            elif home in below and name in self._names[home]:
                found[below[home], j] = "from_node"
        return found


def runs_below(graph: Graph, family: Sequence[Graph]) -> dict[str, int]:
    """GID of every body below a graph -> the node of the graph that runs it, or runs what runs it."""
    below: dict[str, list[str]] = {}
    for each in family:
        below.setdefault(above(each.id), []).append(each.id)
    found: dict[str, int] = {}
    pending = [(gid, i) for i, node in enumerate(graph.nodes) for gid in bodies(node)]
    while pending:
        gid, i = pending.pop()
        if gid not in found:
            found[gid] = i
            pending.extend((deeper, i) for deeper in below.get(gid, ()))
    return found


def _source(node: Node, homes: Homes) -> tuple[str, str]:
    """(GID, name) of the node that a call was made from, by the oldest source that has a home."""
    for source in reversed(_recorded(node)):
        home = homes.get(source.graph_id)
        if home is not None:
            return home, source.name
    return "", ""


def _recorded(node: Node) -> Sequence[Source]:
    """What a node was made from; inputs and outputs carry what a call that reads them was made from."""
    return () if node.origin is None or node.op in ("placeholder", "output") else node.origin.from_node


def find_homes(earlier: Sequence[Graph], later: Sequence[Graph]) -> Homes:
    """The homes among `earlier` of the ids in `later`; an id without one is left out."""
    named = _named(later)
    for graph in earlier:  # what the earlier graphs came from is older than they
        for node in graph.nodes:
            for source in _recorded(node):
                named.pop(source.graph_id, None)
    places = [_Lines(graph) for graph in earlier]
    whole = _whole(later)
    homes: dict[int, str] = {}
    looks = 0
    for id, uses in named.items():
        among = places[:1] if id in whole else places
        looks += len(uses) * len(among)
        if looks > MAX_LOOKS:
            break
        scores = [(score, each.gid) for each in among if (score := each.score(uses)) is not None]
        best = max((score for score, _ in scores), default=-1)
        fitting = [gid for score, gid in scores if score == best >= 0]
        taken = set(homes.values()) if len(fitting) > 1 else set()
        free = [gid for gid in fitting if gid not in taken]
        if free:
            homes[id] = free[0]  # bodies that are alike to the line come in the order in which they run
    return homes


def _whole(later: Iterable[Graph]) -> set[int]:
    """Ids of top graphs, by the pass that torch says it ran on them; bodies go through another one."""
    return {
        source.graph_id
        for graph in later
        for node in graph.nodes
        for source in _recorded(node)
        if source.pass_name.startswith(TOP_PASSES)
    }


class _Lines:
    """The names of one graph, and the line of each."""

    def __init__(self, graph: Graph) -> None:
        self.gid = graph.id
        self._keys = dict(zip((node.name for node in graph.nodes), line_keys(graph), strict=True))

    def score(self, uses: Iterable[tuple[str, Line | None]]) -> int | None:
        """How many (name, line) agree with this graph, less those that contradict it; None where a name is not here."""
        score = 0
        for name, line in uses:
            if name not in self._keys:
                return None
            mine = self._keys[name]
            if mine is not None and line is not None:
                score += 1 if mine == line else -1
        return score


def _named(later: Iterable[Graph]) -> dict[int, dict[tuple[str, Line | None], None]]:
    """For every graph id what calls say they were made from there: (name, line of the call), in order."""
    found: dict[int, dict[tuple[str, Line | None], None]] = {}
    for graph in later:
        for node, line in zip(graph.nodes, line_keys(graph), strict=True):
            if not _inner(graph, node):
                for source in _recorded(node):
                    found.setdefault(source.graph_id, {})[source.name, line] = None
    return found


def _inner(graph: Graph, node: Node) -> bool:
    """A body that autograd made for a higher-order op's backward came from a graph that nobody sees."""
    return bool(above(graph.id)) and node.origin is not None and node.origin.autograd_backward


def same_operators(body: Graph, graph: Graph, made: AbstractSet[int]) -> Exact:
    """Links from the calls of `body`, which was inlined into `graph`, to the nodes `made` of it, by `original_aten`. torch
    records only the op that ran the body, and of each node its operator: enough where the body calls that operator once."""
    calls: dict[str, list[int]] = {}
    for i, node in enumerate(body.nodes):
        if node.op == "call_function":
            calls.setdefault(node.target, []).append(i)
    found: Exact = {}
    for j in made:
        origin = graph.nodes[j].origin
        ours = calls.get(origin.original_aten, []) if origin and origin.original_aten else []
        if len(ours) == 1:
            found[ours[0], j] = "original_aten"
    return found
