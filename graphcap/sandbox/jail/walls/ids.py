"""Who the process is: an ordinary user, also when the server is root."""

from __future__ import annotations

import os

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
