"""Runs a command on a machine that lacks what a jail is made of: `python no_jail.py container|nothing COMMAND...`.

`container`: as under Docker's default profile, which permits no namespaces and no mounts and says that it does not know
clone3(2). `nothing`: moreover a kernel without Landlock. Nothing of graphcap is told so; it has to find out.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

UNSHARE, MOUNT, SETNS = {"x86_64": (272, 165, 308), "aarch64": (97, 40, 268)}[platform.machine()]
CLONE3, LANDLOCK_CREATE_RULESET = 435, 444  # the same everywhere
CONTAINER = {UNSHARE: errno.EPERM, MOUNT: errno.EPERM, SETNS: errno.EPERM, CLONE3: errno.ENOSYS}
REFUSED = {"container": CONTAINER, "nothing": {**CONTAINER, LANDLOCK_CREATE_RULESET: errno.ENOSYS}}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_NUMBER = (0x20, 0, 0, 0)  # BPF_LD | BPF_W | BPF_ABS: seccomp_data.nr
ALLOW, ERRNO = 0x7FFF0000, 0x00050000


def filter_of(refused: dict[int, int]) -> bytes:
    """BPF that answers these system calls with an error, and lets every other one through."""
    program = [LOAD_NUMBER]
    for number, error in refused.items():
        program += [(0x15, 0, 1, number), (0x06, 0, 0, ERRNO | error)]  # BPF_JMP | BPF_JEQ | BPF_K; BPF_RET | BPF_K
    program.append((0x06, 0, 0, ALLOW))
    return b"".join(struct.pack("HBBI", *line) for line in program)


def refuse(calls: dict[int, int]) -> None:
    """For this process, and all that it starts."""
    content = filter_of(calls)
    buffer = ctypes.create_string_buffer(content, len(content))
    program = struct.pack("HxxxxxxP", len(content) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    for arguments in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)):
        if libc.prctl(*arguments):
            raise OSError(ctypes.get_errno(), "prctl")


if __name__ == "__main__":
    refuse(REFUSED[sys.argv[1]])
    os.execvp(sys.argv[2], sys.argv[2:])
