"""Namespaces: namespaces(7), user_namespaces(7), pid_namespaces(7)."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

from graphcap.sandbox.jail import syscalls

ALL = (
    syscalls.CLONE_NEWUSER
    | syscalls.CLONE_NEWNS
    | syscalls.CLONE_NEWPID
    | syscalls.CLONE_NEWNET
    | syscalls.CLONE_NEWIPC
    | syscalls.CLONE_NEWUTS
    | syscalls.CLONE_NEWCGROUP
)
HOSTNAME = "graphcap"
BY_LAYER = {
    "user": syscalls.CLONE_NEWUSER,
    "pid": syscalls.CLONE_NEWPID,
    "net": syscalls.CLONE_NEWNET,
    "ipc": syscalls.CLONE_NEWIPC,
}


def enter(flags: int, proc_fd: int) -> None:
    """Moves the process into new namespaces, in which it is the user it was, with every capability over them.

    A new pid namespace is for its children only.
    """
    user, group = os.geteuid(), os.getegid()
    syscalls.unshare(flags)
    if flags & syscalls.CLONE_NEWUSER:
        syscalls.write_below(proc_fd, "self/setgroups", "deny")  # without it an ordinary user may not map a group
        syscalls.write_below(proc_fd, "self/uid_map", f"{user} {user} 1\n")
        syscalls.write_below(proc_fd, "self/gid_map", f"{group} {group} 1\n")
    if flags & syscalls.CLONE_NEWUTS:
        syscalls.set_hostname(HOSTNAME)


def start_reaper() -> int:
    """Forks the first process of a new pid namespace, whose children will all the others be; its pid.

    It only collects what is orphaned. The kernel kills the whole namespace with it, and it with the caller.
    """
    parent_lives, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(held)
        _reap_until_killed(parent_lives)
    os.close(parent_lives)
    # `held` stays open: when the caller is gone, however it went, the pipe ends.
    os.set_inheritable(held, False)
    return pid


def _reap_until_killed(parent_lives: int) -> NoReturn:
    try:
        syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.dup2(parent_lives, 0)
        os.closerange(1, 1 << 20)
        # Closed ends are collected without waiting for them: signal(7), SIGCHLD ignored.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        os.read(0, 1)  # until the caller is gone
    finally:
        os._exit(0)


def mount_work(path: str, size: int, files: int) -> None:
    """A new, empty, private tmpfs at `path`, which must be a folder. tmpfs(5)."""
    flags = syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    syscalls.mount("tmpfs", path, "tmpfs", flags, f"size={size},nr_inodes={files},mode=0700")


def resize_work(path: str, size: int, files: int) -> None:
    """Other limits for what `mount_work` has mounted."""
    flags = syscalls.MS_REMOUNT | syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    syscalls.mount("", path, "", flags, f"size={size},nr_inodes={files}")
