"""Watches over one command. Started as a script of its own; imports the standard library only, trusts its caller only.

It exists because a server with threads can neither fork safely nor be the one that orphans come back to: this process is
alone, collects every descendant of the command (also those that left its session), and kills them all when the command ends,
at the wall clock limit, when they are too many (the kernel's own limit does not hold root), on SIGTERM, and when the server
is gone (PR_SET_PDEATHSIG).

Argument: JSON of a `Job`. Says on the status descriptor, a line of JSON each: {"pid"}, {"error"} if the command could
not be started, and last {"status", "stopped", "cpu_seconds", "peak_bytes", "left"}.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import resource
import signal
import sys
import time
from typing import Any, NoReturn

PR_SET_PDEATHSIG = 1  # prctl(2)
PR_SET_CHILD_SUBREAPER = 36
WATCHED = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
CENSUS_SECONDS = 0.25  # a fork bomb makes some hundreds in that time; to count costs 1.6 ms where 100 run
KILL_SECONDS = 5.0  # after this long, what still lives hangs in the kernel and is reported as left
HIGH_FD = 64  # above every number a command is given

Job = dict[str, Any]
"""command, cwd, env, parent (pid of the server), status (descriptor), fds ({number in the command: number here}),
wall_seconds, processes, rlimits ({name: [soft, hard]})."""


def main(job: Job) -> None:
    """Runs the job to its end."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != job["parent"]:
        sys.exit("the server was gone before the command started")
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    job["status"] = fcntl.fcntl(job["status"], fcntl.F_DUPFD_CLOEXEC, HIGH_FD)
    pid = os.fork()
    if pid == 0:
        _become(job)
    for descriptor in set(job["fds"].values()):
        os.close(descriptor)  # only the command holds them: their end tells the server that it is over
    _say(job, {"pid": pid})
    status, stopped = _wait(pid, time.monotonic() + job["wall_seconds"], job["processes"])
    left, late_status = _kill_all(pid)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    _say(
        job,
        {
            "status": status if status is not None else late_status,
            "stopped": stopped,
            "cpu_seconds": used.ru_utime + used.ru_stime,
            "peak_bytes": used.ru_maxrss * 1024,
            "left": left,
        },
    )


def _wait(pid: int, deadline: float, processes: int) -> tuple[int | None, str]:
    """Until the command ends (its wait status), or must be stopped (why)."""
    census = 0.0
    while (now := time.monotonic()) < deadline:
        if now >= census:
            census = now + CENSUS_SECONDS
            if len(_descendants()) > processes:
                return None, "processes"
        caught = signal.sigtimedwait(WATCHED, min(deadline, census) - now)
        if caught is None:
            continue
        if caught.si_signo != signal.SIGCHLD:
            return None, "asked"
        status = _reap(pid)
        if status is not None:
            return status, ""
    return None, "timeout"


def _reap(pid: int) -> int | None:
    """Collects everything that ended; the wait status of `pid` if it is among them."""
    found = None
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if ended == 0:
            return found
        if ended == pid:
            found = status


def _kill_all(pid: int) -> tuple[int, int | None]:
    """Kills the command's group at one blow, then every descendant until none is left.

    How many are left (they hang in the kernel), and the command's wait status if it was still to be collected.
    """
    deadline = time.monotonic() + KILL_SECONDS
    status = None
    _kill(-pid)
    while True:
        found = _reap(pid)
        status = found if found is not None else status
        alive = _descendants()
        if not alive or time.monotonic() > deadline:
            return len(alive), status
        for one in alive:
            _kill(one)
        time.sleep(0.005)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _descendants() -> list[int]:
    """Every process below this one, whatever its group and session."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])  # the name before it may hold anything
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    pending = children.get(os.getpid(), [])
    while pending:
        one = pending.pop()
        found.append(one)
        pending.extend(children.get(one, []))
    return found


def _become(job: Job) -> NoReturn:
    """In the child: confined, then replaced by the command."""
    try:
        os.setsid()
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        _arrange_descriptors({int(number): here for number, here in job["fds"].items()}, job["status"])
        os.chdir(job["cwd"])
        os.umask(0o077)
        os.nice(10)  # the server answers first
        _set_limits(job["rlimits"])
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.execve(job["command"][0], job["command"], job["env"])
    except BaseException as error:
        _say(job, {"error": f"{type(error).__name__}: {error}"})
    os._exit(127)


def _arrange_descriptors(wanted: dict[int, int], status: int) -> None:
    """Nothing open but `wanted`, standard input empty; the status descriptor closes as the command starts."""
    null = os.open("/dev/null", os.O_RDONLY)
    safe = {number: fcntl.fcntl(here, fcntl.F_DUPFD, HIGH_FD) for number, here in {0: null, **wanted}.items()}
    for number, here in safe.items():
        os.dup2(here, number)
    last = max(safe)
    os.closerange(last + 1, status)
    os.closerange(status + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _set_limits(rlimits: dict[str, list[int]]) -> None:
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # when memory runs out, this goes first
    for name, (soft, hard) in rlimits.items():
        kind = getattr(resource, name)
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")


def _say(job: Job, message: dict[str, object]) -> None:
    with contextlib.suppress(OSError):  # the server is gone; what must be killed is killed all the same
        os.write(job["status"], json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
