"""Where a graph stands in its capture, read off its GID: `[tN.]stage.FRAGMENT[.rN][.variant][/body]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from graphcap.analyses.columns import bodies
from graphcap.graph.check import GID
from graphcap.graph.document import Graph

EXPORTED = ("export", "core_aten")
COMPILED = ("dynamo", "pre_grad", "joint", "forward", "backward", "post_grad")
AOT = ("joint", "forward", "backward")
CUT = (*AOT, "post_grad")
"""AOTAutograd's stages and what Inductor's passes made of its halves: one family of names."""
ORDER = ("eager", "traced", "export", "core_aten", "dynamo", "pre_grad", "joint", "forward", "backward", "post_grad")
"""Every link is made from the earlier stage of this order to the later one."""


class Place(NamedTuple):
    """The parts of a GID. `recompile` is `r1` or "", `body` the path below the top graph or ""."""

    target: str
    stage: str
    fragment: int
    recompile: str
    variant: str
    body: str

    def at(self, stage: str, variant: str = "", body: str = "") -> str:
        """GID of the graph of another stage of the same target, fragment and recompile."""
        prefix = "" if self.target == "t1" else f"{self.target}."
        parts = (stage, str(self.fragment), self.recompile, variant)
        return prefix + ".".join(part for part in parts if part) + (f"/{body}" if body else "")


def place(gid: str) -> Place:
    """The place of a GID that passed the check of the document."""
    found = GID.fullmatch(gid)
    assert found is not None
    recompile = f"r{found['recompile']}" if found["recompile"] else ""
    body = found["body"].removeprefix("/")
    return Place(found["target"] or "t1", found["stage"], int(found["fragment"]), recompile, found["variant"] or "", body)


def above(gid: str) -> str:
    """GID of the graph that runs a body; "" for a top graph. By the GID alone: a forged graph may call itself its parent."""
    return gid.rpartition("/")[0]


class Shelf:
    """The graphs of a capture: their GIDs, and each graph once it is asked for."""

    def __init__(self, ids: Iterable[str], get: Callable[[str], Graph]) -> None:
        self.ids = tuple(ids)
        self._known = frozenset(self.ids)
        self._get = get

    def has(self, gid: str) -> bool:
        """Whether there is such a graph."""
        return gid in self._known

    def get(self, gid: str) -> Graph:
        """A graph that is there."""
        return self._get(gid)

    def family(self, gid: str) -> list[Graph]:
        """The top graph of `gid`, then every body below it in the order in which they run, then those that nothing runs."""
        top = gid.partition("/")[0]
        below = [each for each in self.ids if each.startswith(f"{top}/")]
        if not below:
            return [self._get(top)]
        order: dict[str, None] = {}
        pending = [top]
        while pending:
            each = pending.pop()
            if each not in order and self.has(each):
                order[each] = None
                pending += reversed([body for node in self._get(each).nodes for body in bodies(node)])
        return [self._get(each) for each in dict.fromkeys((*order, *below))]
