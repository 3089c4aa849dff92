"""The system calls Python 3.11 has no function for, each with its manual page named. Errors are OSError."""

from __future__ import annotations

import ctypes
import errno
import os

from graphcap.sandbox.jail import numbers

CLONE_NEWNS = 0x00020000  # unshare(2)
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_REMOUNT = 32  # mount(2)
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2  # umount2(2)

MOUNT_ATTR_RDONLY = 1  # mount_setattr(2)
MOUNT_ATTR_NOSUID = 2
MOUNT_ATTR_NODEV = 4
MOUNT_ATTR_NOEXEC = 8
AT_RECURSIVE = 0x8000
AT_FDCWD = -100

PR_SET_PDEATHSIG = 1  # prctl(2), and the pages PR_*(2const)
PR_GET_PDEATHSIG = 2
PR_SET_DUMPABLE = 4
PR_CAPBSET_READ = 23
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

_CAPABILITY_VERSION_3 = 0x20080522  # capget(2)

libc = ctypes.CDLL(None, use_errno=True)


class _MountAttr(ctypes.Structure):
    _fields_ = (
        ("attr_set", ctypes.c_uint64),
        ("attr_clr", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns_fd", ctypes.c_uint64),
    )


def call(name: str, *arguments: object) -> int:
    """syscall(2). Every number is passed 64 bits wide: libc would otherwise leave the upper half of one undefined."""
    number = numbers.number(name)
    if number is None:
        raise OSError(errno.ENOSYS, f"{name}: no such system call here")
    wide = (ctypes.c_long(one) if isinstance(one, int) else one for one in arguments)
    return _checked(libc.syscall(ctypes.c_long(number), *wide), name)


def unshare(flags: int) -> None:
    """unshare(2)."""
    _checked(libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """mount(2)."""
    texts = [os.fsencode(text) if text else None for text in (source, target, kind, data)]
    _checked(
        libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3]), f"mount {kind or source} at {target}"
    )


def umount_detach(target: str) -> None:
    """umount2(2) with MNT_DETACH: gone from the tree at once, from the kernel with its last user."""
    _checked(libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def set_mount_attributes(path: str, attributes: int, cleared: int = 0) -> None:
    """mount_setattr(2), of a mount and everything mounted below it. Linux 5.12."""
    wanted = _MountAttr(attr_set=attributes, attr_clr=cleared)
    call("mount_setattr", AT_FDCWD, os.fsencode(path), AT_RECURSIVE, ctypes.byref(wanted), ctypes.sizeof(wanted))


def pivot_root(new_root: str, put_old: str) -> None:
    """pivot_root(2)."""
    call("pivot_root", os.fsencode(new_root), os.fsencode(put_old))


def set_hostname(name: str) -> None:
    """sethostname(2)."""
    _checked(libc.sethostname(name.encode(), ctypes.c_size_t(len(name))), "sethostname")


def prctl(option: int, value: int = 0) -> int:
    """prctl(2), for the options that take one number."""
    zero = ctypes.c_ulong(0)
    return _checked(libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero), f"prctl {option}")


def death_signal() -> int:
    """What the process gets when its parent dies; 0 for nothing. PR_GET_PDEATHSIG(2const)."""
    found = ctypes.c_int()
    _checked(libc.prctl(PR_GET_PDEATHSIG, ctypes.byref(found), 0, 0, 0), "prctl PR_GET_PDEATHSIG")
    return found.value


def drop_capabilities() -> None:
    """Every set empty: capset(2), PR_CAPBSET_DROP(2const), PR_CAP_AMBIENT(2const). The bounding set where it is allowed."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_READ, ctypes.c_ulong(capability), 0, 0, 0) != 1:
            continue
        if libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) != 0:
            break  # an ordinary user: it has none, and no_new_privs keeps it from getting one
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    call("capset", header, (ctypes.c_uint32 * 6)())


def _checked(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def write_below(folder: int, name: str, text: str) -> None:
    """Into a file below an open folder, as of cgroups and of /proc. Raises OSError."""
    descriptor = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
