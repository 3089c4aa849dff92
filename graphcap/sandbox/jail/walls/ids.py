"""Who the process is, an ordinary user also when the server is root, and what that user can not open."""

from __future__ import annotations

import os
from collections.abc import Iterable

from graphcap.sandbox.jail import syscalls


def become(user: int) -> None:
    """Takes `user` as user and group, for good, if the process is root; nothing if it is not. setresuid(2), setgroups(2)."""
    if os.geteuid() != 0:
        return
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)  # /proc/self stays its own: the maps of user namespaces are written there


def give_up_privileges() -> None:
    """No capability, no way to get one, and nobody but root may look inside (ptrace(2), /proc/PID/mem)."""
    syscalls.drop_capabilities()
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)


def unreadable_for(user: int, paths: Iterable[str]) -> str | None:
    """The first of `paths` that `user` cannot open; None if it can open all. Asked by root; forks for a moment."""
    paths = tuple(paths)
    told, telling = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            become(user)
            os.write(telling, str(_first_unreadable(paths)).encode())
        finally:
            os._exit(0)
    os.close(telling)
    answer = b"".join(iter(lambda: os.read(told, 4096), b"")).decode()
    os.close(told)
    os.waitpid(pid, 0)
    place = int(answer or 0)  # it said nothing: it could not even take the id
    return paths[place] if place >= 0 else None


def _first_unreadable(paths: tuple[str, ...]) -> int:
    for place, path in enumerate(paths):
        try:
            os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK))
        except OSError:
            return place
    return -1
