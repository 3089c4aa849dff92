"""What each process of a capture sets on itself. Linux; see prctl(2), setrlimit(2)."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import threading

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
CLONE_THREAD = 0x10000

libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int) -> None:
    """SIGKILL as soon as the parent process `parent` is gone, so that killing the capture leaves nothing running."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it went before the call
        os.kill(os.getpid(), signal.SIGKILL)


def adopt_orphans() -> None:
    """Processes left behind by children become children of this one, so that they can be found and ended."""
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def limit_memory(extra_bytes: int) -> None:
    """Address space: what this process has now and `extra_bytes` more. Inherited by its children.

    RLIMIT_AS gives errors a person can read (torch: "you tried to allocate 400000000000 bytes") before anything is killed.
    In the jail it is set already, and /proc is hidden.
    """
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        return
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    wanted = pages * resource.getpagesize() + extra_bytes
    resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))


def no_core_dumps() -> None:
    """A crash leaves no file of gigabytes."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def threads_running() -> bool:
    """Whether this process has more than one thread, native ones included.

    unshare(2) of CLONE_THREAD changes nothing in a process with one thread and is refused with EINVAL in one with more.
    It is asked first, as the jail hides /proc; but a container may refuse unshare(2) altogether (Docker does), and where
    neither can be asked, Python's own threads are all that is known.
    """
    if libc.unshare(CLONE_THREAD) == 0:
        return False
    if ctypes.get_errno() == errno.EINVAL:
        return True
    try:
        return len(os.listdir("/proc/self/task")) > 1
    except OSError:
        return threading.active_count() > 1
