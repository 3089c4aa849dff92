"""The supervisor: one process per job, trusted. Makes the job's namespaces, forks it, keeps its clock, and ends it.

It is forked before there is a job, so that none of this is waited for. It ends the job, and everything the job started,
when the job itself ends, at the wall clock limit, when its processes or files are too many, when the server lets go of the
leash, and when the zygote is gone. It says on the status descriptor, a line of JSON each: {"pid"} once the job runs,
{"error"} if it could not be started, and last {"status", "stopped", "cpu_seconds", "peak_bytes", "left", "out_of_memory"}.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from pathlib import Path
from typing import NoReturn

from graphcap.sandbox.jail import cgroups, forks, tiers
from graphcap.sandbox.jail.policy import WORK, Policy
from graphcap.sandbox.outcome import Limits
from graphcap.sandbox.zygote import job, protocol
from graphcap.sandbox.zygote.job import Ward, policy_of
from graphcap.sandbox.zygote.protocol import Descriptors, Start
from graphcap.sandbox.zygote.watching import descendants, lifeline, written

YOUNG_SECONDS = 3.0  # a job that takes longer steps back behind those that have just begun
CENSUS_SECONDS = 0.25  # a fork bomb makes some hundreds in that time; to count costs 1.6 ms where 100 run
GIVEN_FILES = 32  # of a job's folder: what was submitted, and the folders made for it
LOW = tuple(range(job.INPUT + 1))  # of the zygote, and held so that nothing else takes these numbers
MEMORY, PROCESSES = 1 << 40, 1 << 20  # of a group until its job comes with its own limits

SPARE_PROCESSES = 16
"""Of a group, beyond the job's own limit: RLIMIT_NPROC must be met first. The kernel looks at it before it copies a
process, at the group's limit after; and a fork bomb that has copies made and thrown away holds up the zygote, whose memory
they share.
"""


def supervise(channel: socket.socket, ward: Ward, zygote: int) -> NoReturn:
    """Makes everything ready, waits on `channel` for the one job that comes, and runs it. `zygote` is a lifeline."""
    code, given = 1, None
    try:
        lifeline.adopt_orphans()
        ready: _Ready | BaseException
        try:
            ready = _make_ready(ward)
        except Exception as error:  # who waits for the job is told when it comes
            ready = error
        received = _wait_for_start(channel, zygote)
        if received is not None:
            start, given = received
            if isinstance(ready, Exception):
                raise ready
            _run(start, given, ready, ward, zygote)
        code = 0
    except Exception as error:
        if given is not None:
            say(given.status, {"error": f"{type(error).__name__}: {error}"})
    finally:
        os._exit(code)


@dataclasses.dataclass(frozen=True)
class _Ready:
    """A job that waits, behind its walls but for the last."""

    child: forks.Child
    channel: socket.socket  # to the job
    group: cgroups.Group | None


def _make_ready(ward: Ward) -> _Ready:
    tiers.enter_supervisor(ward.prepared, Policy(ward.readable, work=WORK if ward.prepared.reaper else None))
    group = None
    if ward.pool is not None:
        group = ward.pool.group(f"job-{os.getpid()}", MEMORY, PROCESSES)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC)
    child = forks.fork_job(ward.prepared, keep=(*LOW, theirs.fileno()), group=group)
    if child is None:
        job.work(theirs, ward)
    theirs.close()
    return _Ready(child, ours, group)


def _wait_for_start(channel: socket.socket, zygote: int) -> tuple[Start, Descriptors] | None:
    """None: no job comes any more."""
    poll = select.poll()
    for descriptor in (channel.fileno(), zygote):
        poll.register(descriptor, select.POLLIN)
    if channel.fileno() not in dict(poll.poll()):
        return None
    received = protocol.from_server(channel)
    if received is None or not isinstance(received[0], Start):
        return None
    return received[0], Descriptors(*received[1])


def _run(start: Start, given: Descriptors, ready: _Ready, ward: Ward, zygote: int) -> None:
    if lifeline.cut(given.leash):
        return
    policy = policy_of(start, ward, os.fstat(given.input).st_size)
    tiers.resize_work(ward.prepared, policy)
    if ready.group is not None:
        ready.group.limit(group_bytes(start.limits), start.limits.processes + SPARE_PROCESSES)
    try:
        protocol.send(ready.channel, start, (given.input, given.result, given.log, given.status))
    except OSError:  # killed while it waited: the server sees that nothing was run, and has another one do it
        return
    for descriptor in (given.input, given.result, given.log):
        os.close(descriptor)  # only the job holds them: their end tells the server that it is over
    say(given.status, {"pid": ready.child.pid})
    stopped = _wait(ready.child, given.leash, zygote, policy, start, ward.prepared)
    _end(ready.child, stopped, ward, ready.group, given.status)


def group_bytes(limits: Limits) -> int:
    """What the whole job may hold: memory as one process may, what it may write, and some for each process."""
    return limits.memory_bytes + limits.file_bytes + limits.memory_bytes // 4


def _wait(child: forks.Child, leash: int, zygote: int, policy: Policy, start: Start, prepared: tiers.Prepared) -> str:
    """Until the job ends ("") or must be stopped: timeout, processes, files, asked (by the server), orphaned (no zygote)."""
    limits = start.limits
    poll = select.poll()
    for descriptor in (child.pidfd, leash, zygote):
        poll.register(descriptor, select.POLLIN)
    began = time.monotonic()
    young = True
    while (age := time.monotonic() - began) < limits.wall_seconds:
        if young and age >= YOUNG_SECONDS:
            young = False
            _step_back(child, prepared)
        pause = (YOUNG_SECONDS if young else limits.wall_seconds) - age
        pause = min(pause, limits.wall_seconds - age, *(() if prepared.reaper else (CENSUS_SECONDS,)))
        ready = dict(poll.poll(pause * 1000 + 1))
        if child.pidfd in ready:
            return ""
        if ready:
            return "asked" if leash in ready else "orphaned"
        if not prepared.reaper:
            descendants.reap(spared=(child.pid,))  # orphans that came to us
            if len(descendants.descendants(prepared.proc_fd)) > limits.processes:
                return "processes"
            if written.beyond(Path(start.folder), policy.work_bytes, policy.work_files + GIVEN_FILES):
                return "files"
    return "timeout"


def _step_back(child: forks.Child, prepared: tiers.Prepared) -> None:
    if not child.step_back():
        for pid in descendants.descendants(prepared.proc_fd):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, pid, forks.NICE)


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
