"""Limits of each process, getrlimit(2). They never rise: who is confined has no CAP_SYS_RESOURCE."""

from __future__ import annotations

import os
import resource

CPU_GRACE_SECONDS = 5  # between SIGXCPU, which can be ignored, and SIGKILL


def limit(*, address_space: int, cpu_seconds: int, file_bytes: int, open_files: int, processes: int) -> None:
    """Sets them, each no higher than it is. `processes` is RLIMIT_NPROC: every task of the user counts."""
    wanted = {
        resource.RLIMIT_AS: (address_space, address_space),
        resource.RLIMIT_CPU: (cpu_seconds, cpu_seconds + CPU_GRACE_SECONDS),
        resource.RLIMIT_FSIZE: (file_bytes, file_bytes),
        resource.RLIMIT_NOFILE: (open_files, open_files),
        resource.RLIMIT_NPROC: (processes, processes),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_RTPRIO: (0, 0),
        resource.RLIMIT_SIGPENDING: (256, 256),
    }
    for kind, pair in wanted.items():
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            pair = (min(pair[0], ceiling), min(pair[1], ceiling))
        resource.setrlimit(kind, pair)


def address_space() -> int:
    """Bytes of address space of the calling process now. Needs /proc."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def tasks_of(user: int) -> int:
    """How many processes and threads `user` has, as far as /proc shows; 0 without /proc."""
    found = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}").st_uid == user:
                found += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue  # ended meanwhile
    return found
