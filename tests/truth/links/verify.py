"""Holds the links between the graphs of a capture against what raw torch wrote down: every exact link again, and every node
of core_aten and of a backward for which torch wrote something down.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from graphcap.analyses.links.linked import Links, linked
from graphcap.analyses.links.places import AOT, Shelf, place
from graphcap.graph.document import Graph
from graphcap.graph.stream import Added, Ended
from tests.truth.links.raw import Raw
from tests.truth.processes import Captured

Key = tuple[Any, ...]


def shelf_of(captured: Captured) -> tuple[Shelf, dict[str, Graph]]:
    """Every graph of the first target."""
    graphs: dict[str, Graph] = {}
    for message in captured.messages:
        if isinstance(message, Ended) and message.target == "t1":
            graphs |= {graph.id: graph for graph in message.stage.graphs}
        elif isinstance(message, Added) and message.target == "t1":
            graphs |= {graph.id: graph for graph in message.graphs}
    return Shelf(graphs, graphs.__getitem__), graphs


class Verified:
    """The links of one capture; `wrong` are exact ones that torch does not bear out, `missing` those it does and we lack."""

    def __init__(self, captured: Captured, raw: Raw) -> None:
        self.shelf, self.graphs = shelf_of(captured)
        self.raw = {gid: nodes for gid, nodes in raw.items() if gid in self.graphs}
        self.checked = 0
        self._links: dict[tuple[str, str], Links] = {}
        self._bodies: dict[str, dict[str, frozenset[str]]] = {}
        self._middle: dict[tuple[str, str, str], list[str]] = {}
        self._pairs: dict[tuple[str, str], set[tuple[str, str]]] = {}

    def links(self, a: str, b: str) -> Links:
        if (a, b) not in self._links:
            self._links[a, b] = linked(a, b, self.shelf)
        return self._links[a, b]

    # -------------------------------------------------------------------------------------------- is every exact link true

    def wrong(self) -> Iterator[str]:
        for a, b in itertools.combinations_with_replacement(self.raw, 2):
            for i, j, evidence in self.links(a, b).exact:
                self.checked += 1
                x, y = self.graphs[a].nodes[i].name, self.graphs[b].nodes[j].name
                if not (self._holds(evidence, a, x, b, y) or self._holds(evidence, b, y, a, x)):
                    yield f"{a} {x} -> {b} {y} by {evidence}: {self.raw[a].get(x)} {self.raw[b].get(y)}"

    def _holds(self, evidence: str, a: str, x: str, b: str, y: str) -> bool:
        """Whether torch says so, `a` being the earlier graph."""
        if x not in self.raw[a] or y not in self.raw[b]:
            return False
        if evidence == "from_node":
            return self._made(a, x, b, y)
        if evidence == "original_aten":
            return self.raw[b][y]["original"] == self.raw[a][x]["target"] and self._made(self._parent(a), self._run(a), b, y)
        if evidence == "name":
            return self._same_name(a, x, b, y)
        if evidence == "seq_nr":
            return self._differentiates(a, x, b, y)
        if evidence.startswith("body"):
            return self._in_body(evidence.removeprefix("body").removeprefix("+"), a, x, b, y)
        if evidence == "position":
            return self._position(a, x) == self._position(b, y) is not None
        return any(self._composed(evidence, a, x, m, b, y) for m in self._joints(b))

    def _made(self, a: str, x: str, b: str, y: str) -> bool:
        """torch wrote down that y was made from x, or from a node in a body that x runs."""
        made = self.raw[b][y]["made"]
        below = self._below(a, x)
        return bool(made) and (made[-1] == [a, x] or made[-1][0] in below)

    def _in_body(self, evidence: str, a: str, x: str, b: str, y: str) -> bool:
        """x is in a body that a node of the top graph runs, and that node is y, or linked with it."""
        top = a.partition("/")[0]
        ops = [node.name for node in self.graphs[top].nodes if a in self._below(top, node.name)]
        if not evidence:
            return top == b and y in ops
        return any(self._holds(evidence, top, op, b, y) or self._holds(evidence, b, y, top, op) for op in ops)

    def _below(self, a: str, x: str) -> frozenset[str]:
        if a not in self._bodies:
            self._bodies[a] = {
                node.name: frozenset(
                    gid for gid in self.graphs for body in node.bodies if gid == body or gid.startswith(f"{body}/")
                )
                for node in self.graphs[a].nodes
                if node.bodies
            }
        return self._bodies[a].get(x, frozenset())

    def _parent(self, gid: str) -> str:
        return self.graphs[gid].parent

    def _run(self, gid: str) -> str:
        return next(node.name for node in self.graphs[self._parent(gid)].nodes if gid in node.bodies)

    def _same_name(self, a: str, x: str, b: str, y: str) -> bool:
        one, other = self.raw[a][x], self.raw[b][y]
        if one["op"] == other["op"] == "output":
            return True
        if one["given"] and one["given"] == other["given"]:
            return True
        if "placeholder" not in (one["op"], other["op"]):
            kept = ("op", "target", "seq", "original", "fn", "made")
            return x == y and self._run_of(a) == self._run_of(b) and all(one[key] == other[key] for key in kept)
        return (x == y and self._run_of(a) == self._run_of(b)) or self._saved_input(a, x, b, y)

    def _saved_input(self, a: str, x: str, b: str, y: str) -> bool:
        """An input of the forward that the backward is given under the forward's name for it."""
        forward = b.replace("backward", "forward", 1)
        given = self.raw.get(forward, {}).get(y, {}).get("given", "")
        return "backward" in b and bool(given) and given == self.raw[a][x]["given"]

    def _run_of(self, gid: str) -> tuple[int, str] | None:
        where = place(gid)
        return (where.fragment, where.body) if where.stage in AOT else None

    def _differentiates(self, a: str, x: str, b: str, y: str) -> bool:
        one, other = self.raw[a][x], self.raw[b][y]
        return key(one) == key(other) is not None and one["back"] != other["back"]

    def _position(self, gid: str, name: str) -> int | None:
        holders = [node for node, facts in self.raw[gid].items() if facts["op"] == "placeholder"]
        return holders.index(name) if name in holders else None

    def _joints(self, b: str) -> list[str]:
        where = place(b)
        return [gid for gid in (where.at("joint", body=where.body), b) if gid in self.raw]

    def _composed(self, evidence: str, a: str, x: str, joint: str, b: str, y: str) -> bool:
        """By way of the joint graph: made there, differentiated there, and under the same name in the half."""
        words = evidence.split("+")
        if (words[-1] == "name") != (joint != b) or words[0] != "from_node":
            return False
        if joint != b and not (y in self.raw[joint] and self._same_name(joint, y, b, y)):
            return False
        if "seq_nr" not in words:
            return self._made(a, x, joint, y)
        if (a, x, joint) not in self._middle:
            self._middle[a, x, joint] = [m for m in self.raw[joint] if self._made(a, x, joint, m)]
        return any(self._differentiates(joint, m, joint, y) for m in self._middle[a, x, joint])

    # ------------------------------------------------------------------------------------ is everything torch says a link

    def missing(self) -> Iterator[str]:
        for gid in self.raw:
            stage = place(gid).stage
            if stage == "core_aten":
                yield from self._unmade(gid, "export")
            elif stage in ("joint", "forward"):
                yield from self._unmade(gid, "dynamo")
            elif stage == "backward":
                yield from self._unnamed(gid)
                yield from self._undifferentiated(gid)

    def _unmade(self, b: str, stage: str) -> Iterator[str]:
        """Calls whose origin torch named, in a graph that we have."""
        for y, facts in self.raw[b].items():
            origin = next((made for made in reversed(facts["made"]) if place(made[0]).stage == stage), None)
            if facts["op"] != "call_function" or origin is None or (self.graphs[b].parent and facts["back"]):
                continue
            if origin[0] in self.raw and (origin[1], y) not in self._named(origin[0], b):
                yield f"{origin} -> {b} {y} is not linked"

    def _unnamed(self, b: str) -> Iterator[str]:
        where = place(b)
        joint = where.at("joint", body=where.body)
        for y, facts in self.raw[b].items():
            same = self.raw.get(joint, {}).get(y)
            if (
                facts["op"] == "call_function"
                and same
                and same["seq"] == facts["seq"]
                and (y, y) not in self._named(joint, b)
            ):
                yield f"{joint} {y} -> {b} {y} is not linked"

    def _undifferentiated(self, b: str) -> Iterator[str]:
        forward = b.replace("backward", "forward", 1)
        calls = [(x, facts) for x, facts in self.raw.get(forward, {}).items() if facts["op"] == "call_function"]
        by_key: dict[Key | None, list[str]] = {}
        for x, facts in calls:
            if not facts["back"]:
                by_key.setdefault(key(facts), []).append(x)
        for y, facts in self.raw[b].items():
            if facts["op"] == "call_function" and facts["back"] and key(facts) is not None:
                for x in by_key.get(key(facts), ()):
                    if (x, y) not in self._named(forward, b):
                        yield f"{forward} {x} -> {b} {y} is not linked"

    def _named(self, a: str, b: str) -> set[tuple[str, str]]:
        if (a, b) not in self._pairs:
            names = self.graphs[a].nodes, self.graphs[b].nodes
            self._pairs[a, b] = {(names[0][i].name, names[1][j].name) for i, j, _ in self.links(a, b).exact}
        return self._pairs[a, b]


def key(facts: dict[str, Any]) -> Key | None:
    """What says that a backward node differentiates a forward node: the number, made by the same call in the same module."""
    if facts["seq"] is None or facts["op"] != "call_function" or not (facts["fn"] or facts["stack"]):
        return None
    return facts["seq"], facts["fn"], tuple(facts["stack"])
