"""`python -m tests.truth.links [PART OF A CASE'S ID ...]`: which share of the calls is linked, and what the rest is."""

from __future__ import annotations

import sys
from collections import Counter

from graphcap.analyses.links.places import place
from graphcap.analyses.links.unlinked import why
from tests.truth.__main__ import say
from tests.truth.links.models import chosen
from tests.truth.links.verify import Verified
from tests.truth.processes import Runs

PAIRS = (
    ("eager", "export"),
    ("export", "dynamo"),
    ("export", "core_aten"),
    ("dynamo", "joint"),
    ("dynamo", "backward"),
    ("joint", "forward"),
    ("joint", "backward"),
    ("forward", "backward"),
    ("eager", "joint"),
    ("core_aten", "forward"),
)

Shares = dict[tuple[str, str, str], Counter[str]]


def main(wanted: list[str]) -> int:
    """The exit code: 1 when a link is wrong or missing."""
    shares: Shares = {}
    faults = 0
    runs = Runs(servers=1)
    cases = [case for case in chosen() if not wanted or any(part in case.id for part in wanted)]
    checked = 0
    for case in cases:
        found = Verified(runs.graphcap(case), runs.evidence(case))
        for text in (*found.wrong(), *found.missing()):
            say(f"{case.id}: {text}\n")
            faults += 1
        checked += found.checked
        count(found, shares)
    runs.close()
    say(f"{len(cases)} models, {checked} exact links verified, {faults} faults\n")
    table(shares)
    return 1 if faults else 0


def count(found: Verified, shares: Shares) -> None:
    """The calls of every graph of a pair of stages, by how they are linked with any graph of the other."""
    for pair in PAIRS:
        sides = [[gid for gid in found.graphs if place(gid).stage == stage and not place(gid).variant] for stage in pair]
        for side in (0, 1):
            if all(sides):
                counts = shares.setdefault((*pair, pair[side]), Counter())
                for gid in sides[side]:
                    counts.update(kinds(found, gid, sides[1 - side], side))


def kinds(found: Verified, gid: str, others: list[str], side: int) -> Counter[str]:
    """`exact`, `line`, or what an unlinked call is."""
    exact: set[int] = set()
    line: set[int] = set()
    for other in others:
        links = found.links(gid, other) if side == 0 else found.links(other, gid)
        exact |= {link[side] for link in links.exact}
        line |= {link[side] for link in links.line}
    nodes = [(i, node) for i, node in enumerate(found.graphs[gid].nodes) if node.op.startswith("call_")]
    return Counter("exact" if i in exact else "line" if i in line else why(node) for i, node in nodes)


def table(shares: Shares) -> None:
    """In Markdown: shares in percent, then the rest in numbers."""
    say("| links | calls of | calls | exact | line | unlinked | what these are |\n|---|---|---|---|---|---|---|")
    for (a, b, side), counts in shares.items():
        calls = counts.total() or 1
        rest = {kind: n for kind, n in counts.most_common() if kind not in ("exact", "line")}
        named = ", ".join(f"{kind} {n}" for kind, n in rest.items())
        parts = [counts["exact"], counts["line"], sum(rest.values())]
        percent = " | ".join(f"{100 * part / calls:.1f}%" for part in parts)
        say(f"| {a} - {b} | {side} | {counts.total()} | {percent} | {named} |")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
