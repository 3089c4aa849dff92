"""What the zygotes of these tests load: a job executes the request as Python. OUT is the result descriptor."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

STATE: dict[str, object] = {}
"""Something a job may change, for the next one not to see."""


def warm() -> None:
    """Whatever WARM says."""
    exec(os.environ.get("WARM", ""), {"os": os, "time": time})


def run(request: bytes, folder: Path, result_fd: int, give_up_processes: Callable[[], None]) -> int:
    names = {"os": os, "sys": sys, "time": time, "signal": signal, "OUT": result_fd, "STATE": STATE}
    names |= {"folder": folder, "give_up_processes": give_up_processes}
    exec(compile(request.decode(), "<code>", "exec"), names)
    return 0
