"""Every case that was selected is run ahead, by two servers, while the first tests already compare."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.truth.processes import Runs
from tests.truth.sources import Case


@pytest.fixture(scope="session")
def runs(request: pytest.FixtureRequest) -> Iterator[Runs]:
    """Results of both sides, by case."""
    found = Runs()
    for item in request.session.items:
        case = getattr(item, "callspec", None) and item.callspec.params.get("case")  # type: ignore[attr-defined]
        if isinstance(case, Case):
            found.ask(case)
    yield found
    found.close()
