"""For developers: says which system call was denied, and from where. seccomp(2), SECCOMP_RET_TRAP.

The call returns EPERM as it would without this. A torch upgrade that needs a new call is found by running with it.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import platform
import signal

from graphcap.sandbox.jail import numbers, syscalls

_SA_SIGINFO, _SA_NODEFER = 4, 0x40000000
_SYSCALL_OFFSET = 24  # of si_syscall in siginfo_t; sigaction(2)
_RESULT_OFFSET = {"x86_64": 40 + 13 * 8, "aarch64": 184}  # of rax (gregs[REG_RAX]) or x0 in ucontext_t
_EPERM = -1

_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class _Action(ctypes.Structure):
    _fields_ = (
        ("handler", _Handler),
        ("mask", ctypes.c_ulong * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def _denied(_signal: int, info: int, context: int) -> None:
    number = ctypes.c_int.from_address(info + _SYSCALL_OFFSET).value
    os.write(2, f"denied: {numbers.NAMES.get(number, number)}\n".encode())
    faulthandler.dump_traceback(2, all_threads=False)
    ctypes.c_long.from_address(context + _RESULT_OFFSET[platform.machine()]).value = _EPERM


_handler = _Handler(_denied)  # kept for ever: the kernel has its address


def listen() -> None:
    """Before the filter goes up. Not safe against every deadlock: the handler takes Python's lock."""
    action = _Action(_handler, flags=_SA_SIGINFO | _SA_NODEFER)
    if syscalls.libc.sigaction(signal.SIGSYS, ctypes.byref(action), None) != 0:
        raise OSError(ctypes.get_errno(), "sigaction")
