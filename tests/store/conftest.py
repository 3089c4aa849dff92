from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphcap.store.captures import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'data' / 'captures.sqlite3'}")
    store.migrate()
    yield store
    store.close()
