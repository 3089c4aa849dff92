"""The supervisor: one process per job, trusted. Makes the job's namespaces, forks it, keeps its clock, and ends it.

It ends the job, and everything the job started, when the job itself ends, at the wall clock limit, when its processes are
too many, when the server lets go of the leash, and when the zygote is gone. It says on the status descriptor, a line of
JSON each: {"pid"} once the job runs, {"error"} if it could not be started, and last {"status", "stopped", "cpu_seconds",
"peak_bytes", "left", "out_of_memory"}.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any, NamedTuple, NoReturn

from graphcap.sandbox.jail import cgroups, forks, tiers
from graphcap.sandbox.jail.policy import WORK, Policy
from graphcap.sandbox.outcome import Limits
from graphcap.sandbox.zygote import descendants, job, lifeline
from graphcap.sandbox.zygote.protocol import Start

CENSUS_SECONDS = 0.25  # a fork bomb makes some hundreds in that time; to count costs 1.6 ms where 100 run
LEFT_OPEN = (0, 1, 2, job.RESULT, job.INPUT)


class Descriptors(NamedTuple):
    """As `protocol.FDS`."""

    input: int
    result: int
    log: int
    status: int
    leash: int


@dataclasses.dataclass(frozen=True)
class Ward:
    """What the zygote has ready for every job."""

    module: Any  # loaded and warm
    prepared: tiers.Prepared
    readable: tuple[str, ...]
    pool: cgroups.Pool | None


def supervise(start: Start, given: Descriptors, ward: Ward, zygote: int) -> NoReturn:
    """Runs the job to its end. `zygote` is a lifeline."""
    code = 1
    try:
        _supervise(start, given, ward, zygote)
        code = 0
    except BaseException as error:
        say(given.status, {"error": f"{type(error).__name__}: {error}"})
    finally:
        os._exit(code)


def _supervise(start: Start, given: Descriptors, ward: Ward, zygote: int) -> None:
    if lifeline.cut(given.leash):
        return
    lifeline.adopt_orphans()
    policy = policy_of(start, ward, os.fstat(given.input).st_size)
    tiers.enter_supervisor(ward.prepared, policy)
    group = ward.pool.group(f"job-{start.job}", start.limits.memory_bytes, start.limits.processes) if ward.pool else None
    _place(given)
    child = forks.fork_job(ward.prepared, keep=(*LEFT_OPEN, given.status), group=group)
    if child is None:
        job.work(start, given.status, ward.prepared, policy, ward.module)
    for descriptor in LEFT_OPEN:
        os.close(descriptor)  # only the job holds them: their end tells the server that it is over
    say(given.status, {"pid": child.pid})
    stopped = _wait(child, given.leash, zygote, start.limits, ward.prepared)
    _end(child, stopped, ward, group, given.status)


def policy_of(start: Start, ward: Ward, input_bytes: int) -> Policy:
    """What the job may do. Its tmpfs has room for what was submitted beside what it may write itself."""
    limits = start.limits
    return Policy(
        readable=ward.readable,
        work=WORK if ward.prepared.tier == "namespaces" else start.folder,
        work_bytes=limits.file_bytes + input_bytes,
        work_files=limits.files,
        memory_bytes=limits.memory_bytes,
        cpu_seconds=limits.cpu_seconds,
        file_bytes=limits.file_bytes,
        open_files=limits.open_files,
        processes=limits.processes,
        allow_fork=True,
    )


def _place(given: Descriptors) -> None:
    """The job's descriptors at the numbers it knows. What was passed lies higher: the zygote has these numbers in use."""
    null = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    for here, number in ((null, 0), (given.log, 1), (given.log, 2), (given.result, job.RESULT), (given.input, job.INPUT)):
        assert here > job.INPUT or here == null, here
        os.dup2(here, number)
    for descriptor in {given.log, given.result, given.input}:
        os.close(descriptor)
    if null > job.INPUT:
        os.close(null)


def _wait(child: forks.Child, leash: int, zygote: int, limits: Limits, prepared: tiers.Prepared) -> str:
    """Until the job ends ("") or must be stopped (why)."""
    poll = select.poll()
    for descriptor in (child.pidfd, leash, zygote):
        poll.register(descriptor, select.POLLIN)
    deadline = time.monotonic() + limits.wall_seconds
    while (left := deadline - time.monotonic()) > 0:
        pause = left if prepared.reaper else min(left, CENSUS_SECONDS)
        ready = dict(poll.poll(pause * 1000 + 1))
        if child.pidfd in ready:
            return ""
        if ready:
            return "asked"
        if not prepared.reaper:
            descendants.reap(spared=(child.pid,))  # orphans that came to us
            if len(descendants.descendants(prepared.proc_fd)) > limits.processes:
                return "processes"
    return "timeout"


def _end(child: forks.Child, stopped: str, ward: Ward, group: cgroups.Group | None, status: int) -> None:
    if stopped:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(child.pidfd, signal.SIGKILL)
    _, waited, used = os.wait4(child.pid, 0)
    left = 0 if ward.prepared.reaper else descendants.kill_below(ward.prepared.proc_fd)
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = {
        "status": child.status_of(waited),
        "stopped": stopped,
        "cpu_seconds": others.ru_utime + others.ru_stime,
        "peak_bytes": max(used.ru_maxrss * 1024, (group.peak_bytes() or 0) if group else 0),
        "left": left,
        "out_of_memory": group.out_of_memory() if group else False,
    }
    say(status, said)
    if group is not None:
        group.close()


def say(status: int, message: dict[str, object]) -> None:
    """A line on the status descriptor; if the server is gone, what must be killed is killed all the same."""
    with contextlib.suppress(OSError):
        os.write(status, json.dumps(message).encode() + b"\n")
    sys.stdout.flush()
