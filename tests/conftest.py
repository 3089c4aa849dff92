"""Tests run side by side in two processes (`pytest -n 2 --dist loadgroup`): here, what must stay together in one."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SANDBOX = ("attacks", "jail", "jobs", "zygote")
"""These count processes, and folders of the jobs' user, that the others of them make."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        room = item.path.relative_to(TESTS).parts[0]
        item.add_marker(pytest.mark.xdist_group("sandbox" if room in SANDBOX else room))
