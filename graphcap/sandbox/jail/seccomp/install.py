"""Puts filters up: seccomp(2). They hold for this process and all it starts, for good."""

from __future__ import annotations

import ctypes

from graphcap.sandbox.jail import syscalls
from graphcap.sandbox.jail.seccomp import bpf, filter, trap
from graphcap.sandbox.jail.seccomp.rules import Need, rules

_SET_MODE_FILTER = 1


class _Filter(ctypes.Structure):
    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_char_p))  # struct sock_fprog


def install(need: Need, *, name_denied: bool = False) -> None:
    """Only `rules(need)` from now on. Needs no_new_privs, and one thread. `name_denied`: see `trap`."""
    if name_denied:
        trap.listen()
    _install(filter.program(rules(need), bpf.TRAP if name_denied else filter.DENY))


def install_without_fork() -> None:
    """Threads only from now on."""
    _install(filter.without_fork())


def _install(program: bpf.Program) -> None:
    code = b"".join(program)
    syscalls.call("seccomp", _SET_MODE_FILTER, 0, ctypes.byref(_Filter(len(program), code)))
