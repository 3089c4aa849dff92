"""Torch and graphcap, one after the other: the machine may have other things to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.truth.processes import Runs


@pytest.fixture(scope="session")
def recorded() -> Iterator[Runs]:
    """What torch wrote down and what graphcap captured, by case."""
    found = Runs(servers=1)
    yield found
    found.close()
