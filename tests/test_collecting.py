"""What `tests/conftest.py` does for all tests: two processes that collect them find the same names."""

from __future__ import annotations

import gzip

import pytest


@pytest.mark.parametrize("packed", [gzip.compress(b"a")])
def test_bytes_do_not_stand_in_a_name(packed: bytes, request: pytest.FixtureRequest) -> None:
    assert request.node.name.endswith("[packed]"), "gzip writes the time into its header"
