"""Forks the job from its supervisor, behind a small first process where there is a pid namespace.

The first process of a pid namespace is immune to most signals (pid_namespaces(7)): a job in its place would not die of
abort(), nor of SIGXCPU. So it is ours; it waits for the job, passes on its wait status, and ends, which kills what is left.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import select
import signal
import struct
from collections.abc import Collection
from types import FrameType
from typing import NoReturn

from graphcap.sandbox.jail import syscalls
from graphcap.sandbox.jail.cgroups import Group
from graphcap.sandbox.jail.tiers import Prepared, high

NICE = 10  # of a job that takes long: new ones, and the server, go first
FIRST_TO_GO = "1000"  # oom_score_adj, proc(5)
STEP_BACK = signal.SIGUSR1
_STATUS = struct.Struct("=i")


@dataclasses.dataclass(frozen=True)
class Child:
    """The job as its supervisor sees it.

    SIGKILL to `pidfd` ends, in tier 1, every process the job ever started (the first process of its pid namespace dies);
    in tier 2 only the job itself: find its descendants (make the supervisor a child subreaper before).
    """

    pid: int  # wait for this one: os.wait4(pid, 0) gives the usage of everything that ran in tier 1
    pidfd: int
    status_fd: int
    relayed: bool  # whether `pid` is the first process of a pid namespace, which passes on the job's status

    def status_of(self, waited: int) -> int:
        """The job's own wait status, given the wait status of `pid` after it ended. SIGKILL's if it did not live to say."""
        if not self.relayed:
            return waited
        data = os.read(self.status_fd, _STATUS.size)
        return int(_STATUS.unpack(data)[0]) if len(data) == _STATUS.size else int(signal.SIGKILL)

    def step_back(self) -> bool:
        """Makes everything in the job nice; False without a pid namespace, where only its descendants can be found."""
        if self.relayed:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, STEP_BACK)
        return self.relayed

    def close(self) -> None:
        """Closes its descriptors."""
        os.close(self.pidfd)
        os.close(self.status_fd)


def fork_job(prepared: Prepared, *, keep: Collection[int], group: Group | None = None) -> Child | None:
    """Call after `enter_supervisor`. None in the job, which has no descriptor open but `keep`; a `Child` in the supervisor.

    The job joins the cgroup `group`, is first in line when memory runs out, and dies with the supervisor.
    """
    told, telling = (high(descriptor) for descriptor in os.pipe())
    pid = os.fork()
    if pid != 0:
        os.close(telling)
        return Child(pid, os.pidfd_open(pid), told, relayed=bool(prepared.reaper))
    os.close(told)
    try:
        _die_with_supervisor(telling)
        if group is not None:
            group.join()
        if prepared.reaper:
            _become_first(telling)
        _lower(prepared)
        _close_all_but(keep)
    except BaseException:
        os._exit(127)
    return None


def _become_first(telling: int) -> None:
    """Returns in the job only."""
    signal.signal(STEP_BACK, _step_back)
    job = os.fork()
    if job != 0:
        _watch(job, telling)
    signal.signal(STEP_BACK, signal.SIG_DFL)


def _step_back(number: int, frame: FrameType | None) -> None:
    """In the first process: of the user's processes setpriority(2) finds those in the caller's pid namespace only."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_USER, 0, NICE)


def _watch(job: int, telling: int) -> NoReturn:
    try:
        _close_all_but((telling,))
        while True:
            pid, status = os.waitpid(-1, 0)  # orphans of the job come back to this process
            if pid == job:
                os.write(telling, _STATUS.pack(status))
                break
    finally:
        os._exit(0)


def _die_with_supervisor(telling: int) -> None:
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    poll = select.poll()
    poll.register(telling, 0)
    if poll.poll(0):  # nobody reads any more: it was gone before the call
        os._exit(127)


def _lower(prepared: Prepared) -> None:
    with contextlib.suppress(OSError):  # a system that hides it; then the largest process goes first
        descriptor = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=prepared.proc_fd)
        os.write(descriptor, FIRST_TO_GO.encode())
        os.close(descriptor)


def _close_all_but(keep: Collection[int]) -> None:
    first = 0
    for descriptor in sorted(keep):
        if first < descriptor:  # an empty range would close everything: Python hands close_range(2) a last of -1
            os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, 1 << 20)  # one call: close_range(2)
