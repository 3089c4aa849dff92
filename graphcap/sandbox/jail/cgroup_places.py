"""Where a cgroup of ours could be made: from /proc/self/cgroup and /proc/self/mountinfo, proc(5)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

CONTROLLERS = ("memory", "pids")


@dataclasses.dataclass(frozen=True)
class Place:
    """A folder per controller, in which a pool may be tried; in version 2 the same for both."""

    version: int
    folders: Mapping[str, Path]


@dataclasses.dataclass(frozen=True)
class _Mount:
    root: str  # what of the hierarchy is mounted
    point: Path
    kind: str
    options: tuple[str, ...]


def places(proc: Path = Path("/proc/self")) -> list[Place]:
    """Best first: version 1's own groups; version 2's own group, and the one above it.

    The one above is for a service manager that gives a service a subtree and starts it in a leaf of that (systemd:
    Delegate=yes, DelegateSubgroup=): in version 2 a group that holds processes cannot have groups with limits in it.
    """
    own = _own_groups((proc / "cgroup").read_text())
    mounts = [_mount(line) for line in (proc / "mountinfo").read_text().splitlines()]
    first = {kind: _folder(own[kind], mounts, "cgroup", kind) for kind in CONTROLLERS if kind in own}
    found = []
    whole = {kind: folder for kind, folder in first.items() if folder is not None}
    if len(whole) == len(CONTROLLERS):
        found.append(Place(1, whole))
    second = _folder(own[""], mounts, "cgroup2", "") if "" in own else None
    if second is not None:
        found += [Place(2, dict.fromkeys(CONTROLLERS, folder)) for folder in (second, second.parent)]
    return found


def _own_groups(text: str) -> dict[str, str]:
    """Controller -> path in its hierarchy; "" is version 2."""
    groups: dict[str, str] = {}
    for line in text.splitlines():
        _, kinds, path = line.split(":", 2)
        groups |= dict.fromkeys(kinds.split(","), path)
    return groups


def _mount(line: str) -> _Mount:
    fields, _, tail = line.partition(" - ")
    root, point = fields.split()[3:5]
    kind, _, options = tail.split(" ", 2)
    return _Mount(root, Path(point), kind, tuple(options.split(",")))


def _folder(path: str, mounts: list[_Mount], kind: str, controller: str) -> Path | None:
    """Where the group `path` is seen; None if it is not mounted here."""
    for mount in mounts:
        if mount.kind != kind or (controller and controller not in mount.options):
            continue
        inside = Path(path)
        if inside.is_relative_to(mount.root):
            return mount.point / inside.relative_to(mount.root)
    return None
