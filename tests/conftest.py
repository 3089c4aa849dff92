"""Tests run side by side in two processes (`pytest -n 2`): what stays together in one of them, and what they are called."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

SANDBOX = ("attacks", "jail", "jobs", "zygote")
"""These count processes, and folders of the jobs' user, that the others of them make."""


LONGEST = (
    "truth",
    "browser",
    "sandbox",
    "browser/canvas",
    "browser/golden",
    "bad_input",
    "capture",
    "capture_compile",
    "web",
    "analyses",
)
"""Rooms that take a minute or more, the longest first; each of the others takes seconds."""


class ByRoom(LoadScopeScheduling):
    """A room's tests share its servers, and go to one process. The short ones come last: both processes end together."""

    def _split_scope(self, nodeid: str) -> str:
        _, room, *inner = nodeid.split("::")[0].split("/")
        if room == "browser" and len(inner) > 1:
            return f"{room}/{inner[0]}"  # these need no server
        return "sandbox" if room in SANDBOX else room

    def _assign_work_unit(self, node: Any) -> None:
        places = {room: place for place, room in enumerate(LONGEST)}
        longest = min(self.workqueue, key=lambda room: places.get(room, len(places)))
        self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByRoom:
    return ByRoom(config, log)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes are named after their argument: both processes must find the same names, and gzip writes the time."""
    return argname if isinstance(val, bytes) else None
