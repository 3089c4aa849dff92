"""Tests run side by side in two processes (`pytest -n 2`): here, what stays together in one of them."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

SANDBOX = ("attacks", "jail", "jobs", "zygote")
"""These count processes, and folders of the jobs' user, that the others of them make."""


class ByRoom(LoadScopeScheduling):
    """A room's tests share its servers, and go to one process."""

    def _split_scope(self, nodeid: str) -> str:
        room = nodeid.split("::")[0].split("/")[1]
        return "sandbox" if room in SANDBOX else room


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByRoom:
    return ByRoom(config, log)
