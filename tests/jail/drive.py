"""Plays the zygote and the supervisor of one job, whose code is given: `python drive.py JSON`. See `jailed.py`."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from graphcap.sandbox.jail import cgroups, forks, syscalls, tiers
from graphcap.sandbox.jail.numbers import number
from graphcap.sandbox.jail.policy import Policy
from graphcap.sandbox.jail.readable import python_paths


def say(*words: object) -> None:
    """At once, so that nothing is said twice by a fork."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def attempt(what: Callable[[], Any]) -> None:
    """Says `out` if it works, `stopped` and why if it raises."""
    try:
        what()
        say("out")
    except BaseException as error:
        say(f"stopped: {type(error).__name__} {error}")


def syscall(name: str, *arguments: int) -> int:
    """Raises OSError."""
    return syscalls.call(name, *arguments)


def sibling(user: int) -> int:
    """A process of the user that jobs run as, which is none of the job's business; its pid."""
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(PermissionError):
            os.setresuid(user, user, user)
        time.sleep(300)
        os._exit(0)
    return pid


def main() -> None:
    """Prints what the job prints, and `@status N` with its wait status at the end."""
    order = json.loads(sys.argv[1])
    policy = Policy(readable=(*python_paths(), *order["readable"]), without=frozenset(order["without"]), **order["policy"])
    names: dict[str, Any] = {
        **{"attempt": attempt, "syscall": syscall, "number": number, "sibling": sibling, "policy": policy, "tiers": tiers},
        **{"os": os, "sys": sys, "ctypes": ctypes, "signal": signal, "time": time},
    }
    exec(order["before"], names)
    pool = None
    if order["cgroup"]:
        owner = policy.job_id if os.geteuid() == 0 else os.geteuid()
        pool = cgroups.open_pool(order["cgroup"], owner, 1 << 40, 1 << 20)
        say("@pool", pool is not None)
    if order["threads"] != len(os.listdir("/proc/self/task")):
        sys.exit("the process that forks must have one thread")
    prepared = tiers.prepare_zygote(order["tier"], policy)
    for code in order["jobs"]:
        pid = os.fork()
        if pid == 0:
            supervise(prepared, policy, code, names, pool)
        os.waitpid(pid, 0)
    exec(order["after"], names)


def supervise(prepared: tiers.Prepared, policy: Policy, code: str, names: dict[str, Any], pool: cgroups.Pool | None) -> None:
    """Never returns."""
    names |= {"prepared": prepared}
    tiers.enter_supervisor(prepared, policy)
    group = pool.group("job", policy.memory_bytes, policy.processes + 1) if pool else None
    child = forks.fork_job(prepared, keep=(0, 1, 2), group=group)
    if child is None:
        run_job(prepared, policy, code, names)
    assert child is not None
    waited = os.waitpid(child.pid, 0)[1]
    if group is not None:
        say("@group", group.out_of_memory(), group.peak_bytes())
        group.close()
    say("@status", child.status_of(waited))
    os._exit(0)


def run_job(prepared: tiers.Prepared, policy: Policy, code: str, names: dict[str, Any]) -> None:
    """Never returns; exit code 3 if the code raised."""
    try:
        if prepared.tier == "namespaces" and policy.work and "root" not in policy.without:
            os.chdir(policy.work)
        tiers.confine_job(prepared, policy)
        exec(code, names)
        sys.stdout.flush()
        os._exit(0)
    except BaseException as error:
        say(f"@raised {type(error).__name__} {error}")
        os._exit(3)


if __name__ == "__main__":
    main()
