from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.web import assets, create_app
from graphcap.web.app import ROOT
from graphcap.web.bundles.styles import STYLES
from graphcap.web.services import EXTENSION


@pytest.fixture(scope="session")
def static() -> assets.Assets:
    """Read and compressed once: that is half of what an app takes to start."""
    return assets.read(ROOT / "static", STYLES)


@pytest.fixture(scope="session")
def empty_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose database is migrated already."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("empty"))
    store = Store(settings.sqlalchemy_url)
    store.migrate()
    store.close()
    return settings.data_dir


@pytest.fixture
def app(tmp_path: Path, static: assets.Assets, empty_data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """Nothing is run: tests put captures into the store themselves."""
    shutil.copytree(empty_data, tmp_path / "data")
    with monkeypatch.context() as patch:
        patch.setattr(assets, "read", lambda folder, styles, whole: static)
        made = create_app(Settings(data_dir=tmp_path / "data", queue=3, upload_mib=1, code_kib=64), with_runner=False)
    yield made
    made.extensions[EXTENSION].store.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def store(app: Flask) -> Store:
    found: Store = app.extensions[EXTENSION].store
    return found
