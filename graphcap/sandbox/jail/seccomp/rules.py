"""The list of what is allowed, by name, with the reason where it is not plain. What is not here is denied."""

from __future__ import annotations

import dataclasses
import signal
from collections.abc import Mapping

from graphcap.sandbox.jail.seccomp import bpf
from graphcap.sandbox.jail.seccomp.conditions import always, both, masked, null, one_of

Rules = Mapping[str, bpf.Program]

FILES = """
    read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 lseek open openat creat close close_range
    dup dup2 dup3 pipe pipe2 fstat stat lstat newfstatat statx statfs fstatfs access faccessat faccessat2 readlink readlinkat
    getdents getdents64 getcwd chdir fchdir ftruncate truncate fallocate fsync fdatasync flock fadvise64 readahead
    sendfile copy_file_range mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat
    umask poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
    eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime signalfd signalfd4
"""
MEMORY = "brk mmap munmap mremap mprotect madvise msync get_mempolicy membarrier"
TASKS = """
    futex futex_waitv set_robust_list get_robust_list set_tid_address rseq arch_prctl sched_yield sched_getaffinity
    sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getpriority exit exit_group wait4 waitid
    getpid getppid gettid getpgid getpgrp getsid setsid setpgid getuid geteuid getgid getegid getresuid getresgid getgroups
    capget getcpu getrlimit getrusage times uname sysinfo pidfd_open
"""
SIGNALS_AND_TIME = """
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack restart_syscall pause
    alarm getitimer setitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time getrandom
"""
OF_OWN_FILES = """
    chmod fchmod fchmodat utime utimes utimensat futimesat setxattr lsetxattr fsetxattr
"""
"""Where only the job's own tmpfs can be written. Else they would reach all files of the user: Landlock does not see them."""

_CLONE_THREAD = 0x00010000
_THREAD_NEEDS = _CLONE_THREAD | 0x00000800 | 0x00000100  # clone(2): CLONE_THREAD | CLONE_SIGHAND | CLONE_VM
_THREAD_MAY = 0x003D0F00 | 0x00400000  # what pthread_create of glibc asks for, and musl's CLONE_DETACHED
_FORK_MAY = 0x01200000  # CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID
_ALL_BITS = 0xFFFFFFFF

_FCNTL = (
    *range(8),  # dup, flags, locks
    *(36, 37, 38),  # locks of open files
    *(
        1030,
        1032,
        1033,
        1034,
    ),  # F_DUPFD_CLOEXEC, F_GETPIPE_SZ, seals; not F_SETPIPE_SZ (uncounted memory), F_SETOWN (signals)
)
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
_PRCTL = (
    *(1, 3, 36),  # PR_SET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_CHILD_SUBREAPER: among its own processes
    *(15, 16, 23, 30, 39, 0x53564D41),  # names, PR_CAPBSET_READ, PR_GET_TIMERSLACK, PR_GET_NO_NEW_PRIVS, PR_SET_VMA
)
_AF_UNIX, _SOCK_STREAM = 1, 1
_SOCK_FLAGS = 0x80800  # SOCK_NONBLOCK | SOCK_CLOEXEC
_FUTURE_CLONE3 = bpf.ERRNO | 38  # ENOSYS: libc then falls back to clone, whose flags can be read


@dataclasses.dataclass(frozen=True)
class Need:
    """What the rules depend on. `signals_stay_inside`: a pid namespace or Landlock keeps signals in the jail."""

    own_pid: int
    allow_fork: bool
    allow_memfd: bool
    signals_stay_inside: bool
    files_stay_inside: bool  # nothing but its tmpfs can be written


def rules(need: Need) -> Rules:
    """The condition for each allowed call."""
    plain = FILES + MEMORY + TASKS + SIGNALS_AND_TIME + (OF_OWN_FILES if need.files_stay_inside else "")
    allowed: dict[str, bpf.Program] = {name: always() for name in plain.split()}
    allowed |= {
        "clone": clone(need.allow_fork),
        "clone3": (bpf.give(_FUTURE_CLONE3),),
        "fcntl": one_of(1, _FCNTL),
        "ioctl": one_of(1, _IOCTL),
        "prctl": one_of(0, _PRCTL),
        "prlimit64": one_of(0, (0, need.own_pid)),  # its own; it cannot raise them
        "setrlimit": always(),
        "sched_setaffinity": one_of(0, (0,)),
        "setpriority": both(0, (0,), one_of(1, (0,))),  # PRIO_PROCESS, itself
        "unshare": one_of(0, (_CLONE_THREAD,)),  # changes nothing; tells whether the process has other threads, unshare(2)
        # A stream pair of its own, as asyncio wants for waking itself; an address to send to is refused.
        "socketpair": both(0, (_AF_UNIX,), masked(1, _ALL_BITS & ~_SOCK_FLAGS, _SOCK_STREAM)),
        "sendto": null(4),
        "recvfrom": always(),
        "shutdown": always(),
        **signals(need),
    }
    if need.allow_fork:
        allowed["fork"] = always()
        allowed["seccomp"] = both(0, (1,), one_of(1, (0, 1)))  # SET_MODE_FILTER, no listener: for `forbid_fork`
    if need.allow_memfd:
        allowed["memfd_create"] = always()
    return allowed


def clone(allow_fork: bool) -> bpf.Program:
    """Threads; plain forks if allowed. No namespace, no CLONE_PARENT (a sibling), no CLONE_VFORK without exec to follow."""
    threads = bpf.joined(
        (
            [bpf.load(bpf.low(0)), bpf.keep_bits(_ALL_BITS & ~(_THREAD_MAY & ~_THREAD_NEEDS))],
            bpf.if_equal(_THREAD_NEEDS, always()),
        )
    )
    return bpf.joined((threads, masked(0, _ALL_BITS & ~_FORK_MAY, signal.SIGCHLD) if allow_fork else ()))


def signals(need: Need) -> Rules:
    """Only to itself, unless the kernel keeps them inside anyway."""
    if need.signals_stay_inside:
        return {name: always() for name in ("kill", "tkill", "tgkill", "pidfd_send_signal")}
    return {"kill": one_of(0, (need.own_pid,)), "tgkill": one_of(0, (need.own_pid,))}
