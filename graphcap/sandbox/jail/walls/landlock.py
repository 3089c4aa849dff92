"""Landlock, landlock(7): which files may be opened, no TCP, and no signal or abstract socket out of the jail."""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable

from graphcap.sandbox.jail import syscalls

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE = 1 << 4, 1 << 5
MAKE_DIR, MAKE_REG, MAKE_SYM = 1 << 7, 1 << 8, 1 << 12
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15

FIRST_ABI_WITH_SIGNALS = 6

# below ABI 3, which has TRUNCATE, a file that may not be opened for writing can still be emptied
_HANDLED_BY_ABI = {1: (1 << 13) - 1, 2: REFER, 3: TRUNCATE, 5: IOCTL_DEV}
_NET_BIND_AND_CONNECT_TCP = 3  # ABI 4
_SCOPE_ABSTRACT_SOCKET_AND_SIGNAL = 3  # ABI 6

_READ = READ_FILE | READ_DIR
_WRITE = _READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV  # the rest is refused in a rule about a file

_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def abi() -> int:
    """The kernel's Landlock version; 0 without Landlock."""
    try:
        return syscalls.call("landlock_create_ruleset", 0, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str] = ()) -> None:
    """Only `readable` may be read and only `writable` written, with what lies below. Nothing may be executed.

    Devices among `readable` may be written too. Needs no_new_privs. OSError if the kernel has no Landlock.
    """
    version = abi()
    ruleset = _Ruleset(
        handled_access_fs=handled(version),
        handled_access_net=_NET_BIND_AND_CONNECT_TCP if version >= 4 else 0,
        scoped=_SCOPE_ABSTRACT_SOCKET_AND_SIGNAL if version >= FIRST_ABI_WITH_SIGNALS else 0,
    )
    size = ctypes.sizeof(ruleset) if version >= FIRST_ABI_WITH_SIGNALS else 16 if version >= 4 else 8
    rules = syscalls.call("landlock_create_ruleset", ctypes.byref(ruleset), size, 0)
    try:
        for path in readable:
            _allow(rules, path, _READ, version)
        for path in writable:
            _allow(rules, path, _WRITE, version)
        syscalls.call("landlock_restrict_self", rules, 0)
    finally:
        os.close(rules)


def handled(version: int) -> int:
    """The rights that a kernel of this ABI can take away."""
    rights = 0
    for since, more in _HANDLED_BY_ABI.items():
        rights |= more if version >= since else 0
    return rights


def _allow(rules: int, path: str, access: int, version: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        mode = os.fstat(folder).st_mode
        if stat.S_ISCHR(mode):
            access |= WRITE_FILE
        if not stat.S_ISDIR(mode):
            access &= _OF_FILES
        rule = _PathBeneath(access & handled(version), folder)
        syscalls.call("landlock_add_rule", rules, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(folder)
