"""What the self-test tries from inside. A probe that returns has broken out; one that raises was stopped."""

from __future__ import annotations

import ctypes
import dataclasses
import errno
import mmap
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable

from graphcap.sandbox.jail import syscalls

KNOCK = signal.SIGUSR2
HELLO = b"hello from the jail"
MARK_IN_ROOT = "/graphcap-self-test"
MANY_THREADS = 300
SMALL_STACK = 1 << 18
LAST_THREAD_SECONDS = 1.0


@dataclasses.dataclass(frozen=True)
class Targets:
    """What was planted. `environment_of` is a process with `secret` in its environment, and on the list to be signalled."""

    folder: str
    secret_file: str
    canary: str
    unix: str
    tcp_port: int
    udp_port: int
    environment_of: int
    secret: str
    memory_bytes: int  # more than may be had


class Stopped(Exception):
    """The probe did not raise, yet got nothing."""


def read(targets: Targets) -> None:
    """A file that everybody may read."""
    with open(targets.secret_file) as file:
        if targets.secret not in file.read():
            raise Stopped


def list_folder(targets: Targets) -> None:
    """A folder of the server."""
    if not os.listdir(targets.folder):
        raise Stopped


def write(targets: Targets) -> None:
    """A file that everybody may write."""
    with open(targets.canary, "r+b") as file:
        file.write(HELLO)


def truncate(targets: Targets) -> None:
    """The same, emptied without opening it."""
    os.truncate(targets.canary, 0)


def chmod(targets: Targets) -> None:
    """Its permissions."""
    os.chmod(targets.canary, 0o600)


def write_root(targets: Targets) -> None:
    """A new file in the root folder."""
    os.close(os.open(MARK_IN_ROOT, os.O_CREAT | os.O_WRONLY))


def tcp(targets: Targets) -> None:
    """A connection to a port of this machine."""
    with socket.socket() as caller:
        caller.settimeout(1)
        caller.connect(("127.0.0.1", targets.tcp_port))


def udp(targets: Targets) -> None:
    """A datagram to one. A network without a listener would take it too, so the listener is asked afterwards."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("127.0.0.1", targets.udp_port))
        sender.send(HELLO)
        sender.settimeout(0.2)
        sender.recv(16)  # refused, or answered, where nobody listens: silence is what the listener gives


def unix(targets: Targets) -> None:
    """A connection to a Unix socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.connect(targets.unix)


def send_signal(targets: Targets) -> None:
    """A harmless signal to the server, as it would be a deadly one."""
    os.kill(targets.environment_of, KNOCK)


def read_environment(targets: Targets) -> None:
    """Secrets in the server's environment."""
    with open(f"/proc/{targets.environment_of}/environ") as file:
        if targets.secret not in file.read():
            raise Stopped


def fork(targets: Targets) -> None:
    """A new process."""
    if os.fork() == 0:
        os._exit(0)


def user_namespace(targets: Targets) -> None:
    """Every capability, in a namespace of its own: most holes of kernels are reached from there."""
    end = time.monotonic() + LAST_THREAD_SECONDS
    while True:
        try:
            return syscalls.unshare(syscalls.CLONE_NEWUSER)
        except OSError as error:
            # EINVAL: there is a second thread. One that was joined in Python may still be on its way out of the kernel.
            if error.errno != errno.EINVAL or time.monotonic() > end:
                raise
            time.sleep(0.001)


def trace(targets: Targets) -> None:
    """Another process's memory: ptrace(2), PTRACE_SEIZE."""
    syscalls.call("ptrace", 0x4206, targets.environment_of, 0, 0)


def memory(targets: Targets) -> None:
    """More memory than the limit."""
    mmap.mmap(-1, targets.memory_bytes).close()


def raise_limit(targets: Targets) -> None:
    """A limit set higher."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard + 1, hard + 1))


def threads(targets: Targets) -> None:
    """More threads than the limit."""
    threading.stack_size(SMALL_STACK)
    end = threading.Event()
    started = []
    try:
        for _ in range(MANY_THREADS):
            thread = threading.Thread(target=end.wait, daemon=True)
            thread.start()
            started.append(thread)
    finally:
        end.set()
        for thread in started:
            thread.join()


def execute(targets: Targets) -> None:
    """Another program. Comes last: nothing of this process is left if it works."""
    os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", ""])


PROBES: dict[str, Callable[[Targets], None]] = {
    "read a file": read,
    "list a folder": list_folder,
    "write a file": write,
    "truncate a file": truncate,
    "change permissions": chmod,
    "write to the root folder": write_root,
    "TCP": tcp,
    "UDP": udp,
    "Unix socket": unix,
    "signal the server": send_signal,
    "read the server's environment": read_environment,
    "trace the server": trace,
    "fork": fork,
    "make a user namespace": user_namespace,
    "memory over the limit": memory,
    "raise a limit": raise_limit,
    "threads over the limit": threads,
    "run a program": execute,
}
"""In this order."""


def works(work: str | None) -> None:
    """What a capture needs must still go: importing, a thread, a file in its folder, devices. Raises what does not."""
    import wave  # noqa: F401 - read from disk only now

    thread = threading.Thread(target=ctypes.c_int)
    thread.start()
    thread.join()
    with open("/dev/urandom", "rb") as random, open("/dev/null", "wb") as null:
        null.write(random.read(8))
    if work is not None:
        with open(f"{work}/file", "w+b") as file:
            file.write(HELLO)
