from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.web import create_app
from graphcap.web.services import EXTENSION


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """Nothing is run: tests put captures into the store themselves."""
    return create_app(Settings(data_dir=tmp_path / "data", queue=3, upload_mib=1, code_kib=64), with_runner=False)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def store(app: Flask) -> Store:
    found: Store = app.extensions[EXTENSION].store
    return found
