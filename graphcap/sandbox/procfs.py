"""What /proc tells: what a supervisor that died watched over, and whether memory ran out."""

from __future__ import annotations

import os
import signal

MARK = "SANDBOX_RUN"
"""Variable that every process of a run inherits, with a random value."""


def kill_marked(mark: str) -> int:
    """Kills every process whose environment carries this mark; how many were found."""
    wanted = f"{MARK}={mark}".encode()
    found = 0
    for name in _processes():
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                marked = wanted in file.read().split(b"\0")
            if marked:
                os.kill(int(name), signal.SIGKILL)
                found += 1
        except OSError:
            continue  # ended meanwhile, or another user's
    return found


def out_of_memory_kills() -> int:
    """How often the kernel has killed for want of memory since it started; 0 where it does not tell."""
    try:
        with open("/proc/vmstat") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")), 0)
    except OSError:
        return 0


def _processes() -> list[str]:
    return [name for name in os.listdir("/proc") if name.isdigit()]
