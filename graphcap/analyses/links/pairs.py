"""Sets of links while they are made: bounded, so that a forged graph gives no answer larger than an honest one."""

from __future__ import annotations

from collections.abc import Iterable

MAX_BUCKET = 4096  # links between the nodes of one line, or of one seq_nr: 64 with 64. Honest ones have a dozen.
MAX_LINKS = 250_000  # of one answer: 3 MB. A pair of 10,000 honest nodes has about 30,000.

Exact = dict[tuple[int, int], str]
"""(node of A, node of B) -> evidence."""


class Budget:
    """How many more links an answer may have, and how many were left out."""

    def __init__(self, left: int = MAX_LINKS) -> None:
        self.left = left
        self.cut = 0

    def take(self, count: int, most: int = MAX_BUCKET) -> bool:
        """Whether `count` links more, which hold or fall together, have room."""
        if count > most or count > self.left:
            self.cut += count
            return False
        self.left -= count
        return True


def add(found: Exact, pairs: Iterable[tuple[int, int]], evidence: str) -> None:
    """Adds links that are not there yet: the first evidence found stands."""
    for pair in pairs:
        found.setdefault(pair, evidence)


def joined(first: str, second: str) -> str:
    """The evidence of two links one after the other: each word once, in order."""
    return "+".join(dict.fromkeys((*first.split("+"), *second.split("+"))))


def compose(first: Exact, second: Exact, budget: Budget) -> Exact:
    """The links from A to C by way of B."""
    onward: dict[int, list[tuple[int, str]]] = {}
    for (b, c), evidence in second.items():
        onward.setdefault(b, []).append((c, evidence))
    found: Exact = {}
    for (a, b), evidence in first.items():
        ends = onward.get(b, ())
        if ends and budget.take(len(ends)):
            for c, more in ends:
                found.setdefault((a, c), joined(evidence, more))
    return found


def turned(found: Exact) -> Exact:
    """The same links seen from B."""
    return {(j, i): evidence for (i, j), evidence in found.items()}
