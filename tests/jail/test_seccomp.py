"""The list of system calls: everything else is refused, and what is on it works within its conditions."""

from __future__ import annotations

import os
import platform
import signal

import pytest

from graphcap.sandbox.jail import numbers
from graphcap.sandbox.jail.seccomp.rules import Need, rules
from tests.jail.jailed import TIERS, run

pytestmark = pytest.mark.parametrize("tier", TIERS)

DENIED = """
from graphcap.sandbox.jail.numbers import NAMES
import errno
for name in {names!r}:
    try:
        syscall(name, 0, 0, 0, 0, 0, 0)
        print(name, 0)
    except OSError as error:
        print(name, errno.errorcode[error.errno])
"""


def test_every_call_that_is_not_on_the_list_is_refused(tier: str) -> None:
    need = Need(
        os.getpid(), allow_fork=False, allow_memfd=False, signals_stay_inside=True, files_stay_inside=tier == "namespaces"
    )
    names = sorted(set(numbers.NAMES.values()) - set(rules(need)))
    ended = run(DENIED.format(names=names), tier=tier)
    answers = dict(line.split() for line in ended.lines)
    assert answers.keys() == set(names)
    assert set(answers.values()) == {"EPERM"}, answers
    dangerous = "execve execveat ptrace mount bpf io_uring_setup userfaultfd keyctl perf_event_open setns open_tree"
    assert set(dangerous.split()) <= set(names)


def test_calls_libc_can_do_without_are_said_not_to_exist(tier: str) -> None:
    code = """
    import errno
    for name in ("clone3",):
        try: syscall(name, 0, 0)
        except OSError as error: print(errno.errorcode[error.errno])
    libc = ctypes.CDLL(None, use_errno=True)
    print(libc.syscall(9999), errno.errorcode[ctypes.get_errno()])
    """
    assert run(code, tier=tier).lines == ["ENOSYS", "-1 ENOSYS"]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the second set of calls is x86-64's")
def test_x32_kills(tier: str) -> None:
    assert run("ctypes.CDLL(None).syscall(0x40000000 | 39); print('alive')", tier=tier) == run(
        "os.kill(os.getpid(), signal.SIGSYS)", tier=tier
    )


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x86-64 runs 32-bit calls")
def test_32_bit_calls_kill(tier: str) -> None:
    code = """
    import mmap
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    print("about to", flush=True)
    print(ctypes.CFUNCTYPE(ctypes.c_int)(address)(), flush=True)
    """
    ended = run(code, tier=tier)
    assert (ended.text, os.WTERMSIG(ended.status)) == ("about to", signal.SIGSYS)
    assert run(code, tier=tier, without=["seccomp"]).status == 0, "the probe is blind"


CONDITIONS = (
    ("unshare", (0x10000000,)),
    ("unshare", (0x00020000,)),
    ("prctl", (4, 1)),  # PR_SET_DUMPABLE
    ("prctl", (28, 0)),  # PR_SET_SECUREBITS
    ("fcntl", (1, 8, 1)),  # F_SETOWN
    ("fcntl", (1, 1031, 1 << 20)),  # F_SETPIPE_SZ
    ("ioctl", (0, 0x5412, 0)),  # TIOCSTI
    ("prlimit64", (1, 7, 0, 0)),
    ("setpriority", (2, 0, 19)),  # PRIO_USER
    ("sched_setaffinity", (1, 0, 0)),
)


def test_conditions_on_arguments(tier: str) -> None:
    code = "\n".join(f"attempt(lambda: syscall({name!r}, *{arguments!r}))" for name, arguments in CONDITIONS)
    lines = run(code, tier=tier).lines
    wrong = [(case, line) for case, line in zip(CONDITIONS, lines, strict=True) if "[Errno 1]" not in line]
    assert not wrong


def test_fork_works_where_allowed_and_its_child_can_give_it_up(tier: str) -> None:
    code = """
    import threading
    pid = os.fork()
    if pid == 0:
        attempt(os.getpid)
        tiers.forbid_fork()
        attempt(os.fork)
        attempt(lambda: syscall("seccomp", 1, 0, 0))
        threading.Thread(target=print, args=("thread",)).start()
        for thread in threading.enumerate()[1:]: thread.join()
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(pid, 0)
    attempt(lambda: os.waitpid(os.fork() or os._exit(0), 0))
    """
    lines = run(code, tier=tier, allow_fork=True).lines
    assert [line.partition(":")[0] for line in lines] == ["out", "stopped", "stopped", "thread", "out"]


@pytest.mark.parametrize("flags", [0x10000000, 0x20000000, 0x40000000, 0x8000, 0x4000])
def test_fork_takes_no_flags_with_it(tier: str, flags: int) -> None:
    """User, pid and network namespace, CLONE_PARENT, CLONE_VFORK."""
    code = f"attempt(lambda: syscall('clone', {flags} | signal.SIGCHLD, 0, 0, 0, 0) or os._exit(0))"
    assert run(code, tier=tier, allow_fork=True).text.startswith("stopped: PermissionError")


def test_pairs_of_sockets_are_for_itself_only(tier: str) -> None:
    code = """
    import socket, asyncio
    a, b = socket.socketpair()
    a.send(b"x"); print(b.recv(1))
    attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
    attempt(lambda: socket.socketpair(socket.AF_INET, socket.SOCK_STREAM))
    attempt(lambda: a.sendto(b"x", "/tmp/socket"))
    attempt(lambda: a.sendmsg([b"x"]))
    asyncio.run(asyncio.sleep(0)); print("asyncio")
    """
    lines = run(code, tier=tier).lines
    assert [line.partition(":")[0] for line in lines] == ["b'x'", *["stopped"] * 4, "asyncio"]


def test_signals_of_its_own_work(tier: str) -> None:
    code = """
    signal.signal(signal.SIGUSR1, lambda *_: print("heard"))
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)
    pid = os.fork()
    if pid == 0: time.sleep(300)
    os.kill(pid, 9); print(os.waitpid(pid, 0)[1])
    """
    assert run(code, tier=tier, allow_fork=True).lines == ["heard", "heard", "9"]


def test_a_denied_call_is_named_to_a_developer(tier: str) -> None:
    ended = run("attempt(lambda: syscall('mount', 0, 0, 0, 0, 0))", tier=tier, on_denied="trap")
    assert "denied: mount" in ended.lines
    assert ended.lines[-1].startswith("stopped: PermissionError")
    assert any("Current thread" in line or "File" in line for line in ended.lines)
