"""What a job may do: plain values, the same for every layer."""

from __future__ import annotations

import dataclasses
from typing import Literal

Tier = Literal["namespaces", "landlock", "none"]
"""How a job is confined; strongest first in `TIERS`."""

TIERS: tuple[Tier, ...] = ("namespaces", "landlock", "none")

Layer = Literal["root", "user", "pid", "net", "ipc", "landlock", "seccomp", "rlimits", "ids"]
"""One wall of the jail. A tier puts up several; tests leave one out to see that its probe then succeeds."""

MIB = 1024 * 1024
JOB_ID = 65_533
"""User and group of the jobs of a server that is root: in no distribution's hands (Debian policy 9.2.2 reserves it)."""

WORK = "/job"
"""Where a job of tier 1 finds its writable folder; an empty folder of that name in its root."""


@dataclasses.dataclass(frozen=True)
class Policy:
    """What one job may do. Sizes in bytes. The defaults are those of the self-test, not of a capture."""

    readable: tuple[str, ...]
    """Files and folders it may read, besides nothing: `readable.python_paths()` plus what the caller needs."""
    work: str | None = WORK
    """Its writable folder. Tier 1: a new tmpfs is mounted there. Tier 2: must exist and belong to the job's user, has no
    limit on its total size but what the supervisor measures; None: nothing is writable but descriptors it was given."""
    work_bytes: int = 64 * MIB
    work_files: int = 4096
    memory_bytes: int = 2048 * MIB  # of address space, beyond what the process has when it is confined
    cpu_seconds: int = 30  # of each process
    file_bytes: int = 64 * MIB  # of each file; memfds count
    open_files: int = 64
    processes: int = 64  # and threads, of the whole job
    allow_fork: bool = False
    allow_memfd: bool = False
    """memfd_create(2). RLIMIT_AS does not see an unmapped memfd: safe only where a cgroup counts the memory."""
    job_id: int = JOB_ID  # user and group taken when started as root
    on_denied: Literal["refuse", "trap"] = "refuse"
    """For developers: "trap" also writes the name of every denied system call and the Python stack to descriptor 2."""
    without: frozenset[Layer] = frozenset()
    """Layers left out. For tests of the tests only."""
