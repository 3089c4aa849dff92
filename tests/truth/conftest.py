"""Every case that was selected is run ahead, while the first tests already compare; tests of a case share what it gave."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.truth.processes import Runs
from tests.truth.sources import Case

SIDES = {"case": ("torch", "graphcap"), "model": ("graphcap", "evidence")}
"""Which sides the tests of a parameter look at."""


@pytest.fixture(scope="session")
def runs(request: pytest.FixtureRequest) -> Iterator[Runs]:
    """Results of all sides, by case."""
    found = Runs()
    for item in request.session.items:
        given = item.callspec.params if hasattr(item, "callspec") else {}
        for name, sides in SIDES.items():
            if isinstance(given.get(name), Case):
                found.ask(given[name], sides)
    yield found
    found.close()
