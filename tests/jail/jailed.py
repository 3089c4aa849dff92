"""Runs a piece of code as a job in a real jail, in a process of its own, and says what it printed and how it ended."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ORDINARY = 1000
LAYERS = ("root", "pid", "net", "ipc", "landlock", "seccomp", "rlimits")
"""All that can be left out one by one; the user namespace cannot, the others need it."""

AS_ROOT = os.geteuid() == 0
STARTERS = ("root", "open root", "ordinary") if AS_ROOT else ("ordinary",)
"""Who starts the server. `open root`: with Python where every user can read it, so that tier 2 needs no root of its own."""
TIERS = ("namespaces", "landlock")


@dataclasses.dataclass(frozen=True)
class Ended:
    """`text` is what the job printed; `statuses` the wait status of each job; `facts` the driver's other words."""

    text: str
    statuses: tuple[int, ...]
    facts: dict[str, str]

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def status(self) -> int:
        (only,) = self.statuses
        return only


def run(
    *jobs: str,
    tier: str,
    starter: str = STARTERS[0],
    without: Iterable[str] = (),
    before: str = "",
    after: str = "",
    readable: tuple[str, ...] = (),
    cgroup: str = "",
    environment: dict[str, str] | None = None,
    seconds: float = 300,
    **policy: Any,
) -> Ended:
    """`before` and `after` run in the zygote, before it is prepared and at the end; jobs see the names `before` makes."""
    if tier == "landlock":
        policy.setdefault("work", None)
    order = {
        "tier": tier,
        "jobs": [textwrap.dedent(job) for job in jobs],
        "without": list(without),
        "before": textwrap.dedent(before),
        "after": textwrap.dedent(after),
        "readable": list(readable),
        "cgroup": cgroup,
        "threads": 1,
        "policy": policy,
    }
    done = subprocess.run(
        [*command(starter), str(HERE / "drive.py"), json.dumps(order)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        env={"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", **(environment or {})},
        cwd="/",
    )
    text, statuses, facts = [], [], {}
    for line in done.stdout.splitlines():
        if line.startswith("@status "):
            statuses.append(int(line.split()[1]))
        elif line.startswith("@"):
            name, _, rest = line[1:].partition(" ")
            facts[name] = rest
        else:
            text.append(line)
    assert done.returncode == 0 and len(statuses) == len(jobs), done.stdout
    return Ended("\n".join(text), tuple(statuses), facts)


def command(starter: str) -> list[str]:
    """Python, as this starter."""
    if starter == "root" or not AS_ROOT:
        return [sys.executable, "-B"]
    user = 0 if starter == "open root" else ORDINARY
    return [sys.executable, "-B", str(HERE / "open_python.py"), str(user), sys.executable, "-B"]
