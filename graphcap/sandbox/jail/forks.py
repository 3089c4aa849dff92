"""Forks the job from its supervisor, behind a small first process where there is a pid namespace."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from graphcap.sandbox.jail.cgroups import Group
from graphcap.sandbox.jail.tiers import Prepared


@dataclasses.dataclass(frozen=True)
class Child:
    """The job as its supervisor sees it.

    SIGKILL to `pidfd` ends, in tier 1, every process the job ever started (the first process of its pid namespace dies);
    in tier 2 only the job itself: find its descendants (make the supervisor a child subreaper before).
    """

    pid: int  # wait for this one: os.wait4(pid, 0) gives the usage of everything that ran in tier 1
    pidfd: int
    status_fd: int  # -1 without a pid namespace

    def status_of(self, waited: int) -> int:
        """The job's own wait status, given the wait status of `pid` after it ended. -9 (SIGKILL) if it did not live to say."""
        raise NotImplementedError


def fork_job(prepared: Prepared, *, keep: Collection[int], group: Group | None = None) -> Child | None:
    """Call after `enter_supervisor`. None in the job, which has no descriptor open but `keep`; a `Child` in the supervisor.

    The job joins the cgroup `group`, is niced by 10, is first in line when memory runs out, and dies with the supervisor.
    """
    raise NotImplementedError
