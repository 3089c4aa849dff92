"""Memory and process limits that the kernel keeps for a whole job, where a cgroup may be made: cgroups(7).

rlimits bound each process; only a cgroup bounds a job: its processes, shared memory, memfds, pipes and tmpfs together.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from graphcap.sandbox.jail.cgroup_places import CONTROLLERS, Place, places
from graphcap.sandbox.jail.syscalls import write_below

LEAF = "zygote"
REMOVE_SECONDS = 2.0  # a process that was just killed may still be on its way out

_MEMORY_MAX = {1: "memory.limit_in_bytes", 2: "memory.max"}
_SWAP_MAX = {1: "memory.memsw.limit_in_bytes", 2: "memory.swap.max"}
_PEAK = {1: "memory.max_usage_in_bytes", 2: "memory.peak"}
_EVENTS = {1: "memory.oom_control", 2: "memory.events"}


@dataclasses.dataclass(frozen=True)
class Group:
    """The cgroup of one job: a folder in each hierarchy (one in version 2)."""

    name: str
    version: int
    parents: tuple[int, ...]
    folders: Mapping[str, int]  # controller -> descriptor

    def join(self) -> None:
        """Moves the calling process into it; whatever it forks is born there."""
        for folder in set(self.folders.values()):
            write_below(folder, "cgroup.procs", "0")

    def limit(self, memory_bytes: int, processes: int) -> None:
        """Other limits than it was made with."""
        _limit(self.folders, self.version, memory_bytes, processes)

    def peak_bytes(self) -> int | None:
        """The most memory it held at once; None where the kernel does not say."""
        text = _read(self.folders["memory"], _PEAK[self.version])
        return int(text) if text.strip().isdigit() else None

    def out_of_memory(self) -> bool:
        """Whether the kernel killed in it because of its memory limit."""
        return _count(_read(self.folders["memory"], _EVENTS[self.version]), "oom_kill") > 0

    def close(self) -> None:
        """Removes it; its processes must have ended, or be ending."""
        for folder in set(self.folders.values()):
            os.close(folder)
        for parent in self.parents:
            _remove(self.name, parent)


@dataclasses.dataclass(frozen=True)
class Pool:
    """A cgroup of ours, the parent of the jobs' groups. Holds descriptors, so it outlives a change of root and of id."""

    version: int
    folders: Mapping[str, int]

    def group(self, name: str, memory_bytes: int, processes: int) -> Group:
        """A new one for a job. OSError if the kernel refuses."""
        parents = tuple(dict.fromkeys(self.folders.values()))
        opened = {parent: _make(name, parent) for parent in parents}
        group = Group(name, self.version, parents, {kind: opened[parent] for kind, parent in self.folders.items()})
        try:
            _limit(group.folders, self.version, memory_bytes, processes)
        except OSError:
            group.close()
            raise
        return group

    def close(self) -> None:
        """Closes the descriptors; `remove_pool` of the server removes the folders."""
        for folder in set(self.folders.values()):
            os.close(folder)


def open_pool(name: str, owner: int, memory_bytes: int, processes: int) -> Pool | None:
    """Makes `name` beside or below the cgroup of this process, for the user `owner`; None where none can be made.

    Called by the zygote before prepare_zygote. In version 2 the zygote itself moves into it, so `memory_bytes` must hold
    it too, and a zygote that is replaced needs another name than the one before.
    """
    for place in places():
        with contextlib.suppress(OSError):
            return _open(place, name, owner, memory_bytes, processes)
    return None


def remove_pool(name: str) -> None:
    """Removes what open_pool made, once its processes have ended; nothing if it is not there. Called by the server."""
    for place in places():
        for base in set(place.folders.values()):
            pool = base / name
            with contextlib.suppress(OSError):
                for group in [entry for entry in os.scandir(pool) if entry.is_dir()]:
                    _remove(group.path)
                _remove(str(pool))


def remove_pools(start: str) -> None:
    """The same for all whose names begin so: what a server left behind that was killed."""
    bases = {base for place in places() for base in place.folders.values()}
    names: set[str] = set()
    for base in bases:
        with contextlib.suppress(OSError), os.scandir(base) as entries:
            names |= {entry.name for entry in entries if entry.name.startswith(start)}
    for name in names:
        remove_pool(name)


def _open(place: Place, name: str, owner: int, memory_bytes: int, processes: int) -> Pool:
    made: list[Path] = []
    try:
        for base in dict.fromkeys(place.folders.values()):
            if place.version == 2:
                _enable(base)
            (base / name).mkdir(mode=0o755)
            made.append(base / name)
        paths = {kind: base / name for kind, base in place.folders.items()}
        with _opened(made) as folders:
            _limit({kind: folders[path] for kind, path in paths.items()}, place.version, memory_bytes, processes)
            if place.version == 2:
                _enable(made[0])
                (made[0] / LEAF).mkdir()
                (made[0] / LEAF / "cgroup.procs").write_text("0")
            for path in made:
                _hand_over(path, owner)
            return Pool(place.version, {kind: os.dup(folders[path]) for kind, path in paths.items()})
    except OSError:
        for path in made:
            _remove(str(path / LEAF))
            _remove(str(path))
        raise


@contextlib.contextmanager
def _opened(paths: list[Path]) -> Iterator[dict[Path, int]]:
    folders = {path: os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) for path in paths}
    try:
        yield folders
    finally:
        for folder in folders.values():
            os.close(folder)


def _enable(folder: Path) -> None:
    """So that folders below have the controllers; EBUSY where processes are in it (the "no internal processes" rule)."""
    present = (folder / "cgroup.subtree_control").read_text().split()
    if not set(CONTROLLERS) <= set(present):
        (folder / "cgroup.subtree_control").write_text(" ".join(f"+{kind}" for kind in CONTROLLERS))


def _hand_over(folder: Path, owner: int) -> None:
    """The user may make groups in it and move its own processes there: cgroups(7), "Cgroups delegation"."""
    if os.geteuid() == 0:
        for path in (folder, folder / "cgroup.procs", folder / "cgroup.subtree_control", folder / LEAF / "cgroup.procs"):
            if path.exists():
                os.chown(path, owner, owner)


def _limit(folders: Mapping[str, int], version: int, memory_bytes: int, processes: int) -> None:
    write_below(folders["memory"], _MEMORY_MAX[version], str(memory_bytes))
    with contextlib.suppress(OSError):  # a kernel without accounting of swap; then the limit is of memory alone
        write_below(folders["memory"], _SWAP_MAX[version], str(memory_bytes if version == 1 else 0))
    write_below(folders["pids"], "pids.max", str(processes))


def _make(name: str, parent: int) -> int:
    os.mkdir(name, 0o755, dir_fd=parent)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=parent)


def _remove(name: str, parent: int | None = None) -> None:
    deadline = time.monotonic() + REMOVE_SECONDS
    while True:
        try:
            os.rmdir(name, dir_fd=parent)
            return
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > deadline:
                return
            time.sleep(0.005)


def _read(folder: int, name: str) -> str:
    """ "" where the kernel has no such file."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return ""
    try:
        return os.read(descriptor, 4096).decode()
    finally:
        os.close(descriptor)


def _count(text: str, key: str) -> int:
    return next((int(line.split()[1]) for line in text.splitlines() if line.split()[:1] == [key]), 0)
