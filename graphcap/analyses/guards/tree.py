"""One of the analyses: takes the guards of one piece of compiled code, returns them as a tree of what they look at.

What specialises the code on a value comes first, at every level. `SERIALIZER` names the shape and the conclusions; it grows
whenever either changes, so that kept answers are made again.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import asdict

from graphcap.analyses.guards.access import named_in, parts
from graphcap.analyses.guards.words import RANK, Fixes, fixes, says, word
from graphcap.graph.document import Frame, Guard, Stage

SERIALIZER = "guards-1"

STATE = "global state"
"""What guards without a source are under."""


class At(Frame, frozen=True, omit_defaults=False):
    """A line of a stack trace, every field of it."""


class Check(msgspec.Struct, frozen=True):
    """One guard where it stands: `place` is an index into `places`; `fixes` what it specialises the code on, or ""."""

    place: int
    kind: str
    word: str
    says: str
    fixes: Fixes
    code: tuple[str, ...]
    frame: At | None
    failed: tuple[str, ...]


class Looked(msgspec.Struct, frozen=True):
    """A part of the tree: what is written for it, and its whole source. Counts are those of all that is below it too."""

    parent: int
    text: str
    source: str
    checks: int
    fixed: int
    failed: int


class GuardTree(msgspec.Struct, frozen=True):
    """`places` in pre-order, parents before children; `checks` in the order of their places."""

    graph: str
    places: tuple[Looked, ...]
    checks: tuple[Check, ...]
    fixed: int
    failed: int


class _Branch:
    """A part of the tree while it grows."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.children: dict[str, _Branch] = {}
        self.checks: list[Check] = []
        self.rank = (1, RANK[""])  # of the best below: failed before not failed, then what is fixed
        self.counts = [0, 0, 0]

    def add(self, check: Check) -> None:
        self.rank = min(self.rank, (0 if check.failed else 1, RANK[check.fixes]))
        self.counts = [
            self.counts[0] + 1,
            self.counts[1] + (check.fixes != ""),
            self.counts[2] + (len(check.failed) > 0),
        ]


def failures(stage: Stage) -> dict[int, tuple[str, ...]]:
    """By index of the stage's guards: how those failed that did not hold for the second inputs."""
    found: dict[int, tuple[str, ...]] = {}
    for recompile in stage.recompiles:
        for check in recompile.failed:
            found[check.guard] = (*found.get(check.guard, ()), check.text)
    return found


def guard_tree(gid: str, fragment: int, recompile: int, stage: Stage) -> GuardTree:
    """The tree of the guards of Dynamo's graph `gid`: of its fragment, compiled so many times before."""
    root, failed = _Branch("", ""), failures(stage)
    for i, guard in enumerate(stage.guards):
        if (guard.fragment, guard.recompile) == (fragment, recompile):
            for source, one in _apart(guard):
                _put(root, source, one, failed.get(i, ()))
    places: list[Looked] = []
    checks: list[Check] = []
    for parent, branch in _in_order(root):
        own = len(places)
        places.append(Looked(parent, branch.text, branch.source, *branch.counts))
        ordered = sorted(branch.checks, key=lambda check: (not check.failed, RANK[check.fixes]))
        checks += [msgspec.structs.replace(check, place=own) for check in ordered]
    return GuardTree(gid, tuple(places), tuple(checks), root.counts[1], root.counts[2])


def _apart(guard: Guard) -> Iterator[tuple[str, Guard]]:
    """A guard with its source. That of the symbolic sizes is several checks, each about the size it names first."""
    if guard.source or guard.kind != "SHAPE_ENV" or not guard.code:
        yield guard.source, guard
        return
    for code in guard.code:
        source = named_in(code)
        yield source, msgspec.structs.replace(guard, source=source, code=(code,))


def _put(root: _Branch, source: str, guard: Guard, failed: tuple[str, ...]) -> None:
    frame = None if guard.frame is None else At(**asdict(guard.frame))
    check = Check(0, guard.kind, word(guard.kind), says(guard), fixes(guard), guard.code, frame, failed)
    at = root
    at.add(check)
    for text, reached in parts(source) or ((STATE, ""),):
        at = at.children.setdefault(reached or STATE, _Branch(text, reached))
        at.add(check)
    at.checks.append(check)


def _in_order(root: _Branch) -> Iterator[tuple[int, _Branch]]:
    """(index of the parent, branch), children with what failed and what is fixed first; the root itself is left out."""
    pending = [(-1, child) for child in reversed(_sorted(root))]
    given = 0
    while pending:
        parent, branch = pending.pop()
        yield parent, branch
        pending += [(given, child) for child in reversed(_sorted(branch))]
        given += 1


def _sorted(branch: _Branch) -> list[_Branch]:
    """torch's order among equals; the global state last."""
    return sorted(branch.children.values(), key=lambda child: (child.source == "", child.rank))
