from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphcap.settings import Settings
from graphcap.store.captures import Store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", capture_wall_seconds=300, message_mib=2, result_mib=8, log_kib=4)


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    store = Store(settings.sqlalchemy_url)
    store.migrate()
    yield store
    store.close()
