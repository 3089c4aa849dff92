from __future__ import annotations

import importlib.metadata

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_values import done, queued

import graphcap
from graphcap.store.captures import Store
from graphcap.web.services import EXTENSION


def test_health(client: FlaskClient, store: Store) -> None:
    queued(store)
    response = client.get("/healthz")
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
    assert response.get_json() == {
        "status": "ok",
        "version": graphcap.__version__,
        "torch": importlib.metadata.version("torch"),
        "database": "ok",
        "runner": "none",
        "queued": 1,
        "running": 0,
    }


def test_a_database_that_is_gone(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(app.extensions[EXTENSION].store, "queue_counts", fail)
    response = app.test_client().get("/healthz")
    assert (response.status_code, response.get_json()["status"]) == (503, "unavailable")
    assert "disk" not in response.text


def test_metrics(client: FlaskClient, store: Store) -> None:
    done(store)
    queued(store)
    queued(store)
    response = client.get("/metrics")
    assert response.content_type.startswith("text/plain; version=0.0.4")
    values = dict(line.rsplit(" ", 1) for line in response.text.splitlines() if not line.startswith("#"))
    assert values['graphcap_captures{status="done"}'] == "1"
    assert values['graphcap_captures{status="queued"}'] == "2"
    assert values['graphcap_stages{stage="export",status="done"}'] == "1"
    assert values['graphcap_stages{stage="dynamo",status="failed"}'] == "1"
    assert values["graphcap_queue_length"] == "2"
    typed = {line.split()[2] for line in response.text.splitlines() if line.startswith("# TYPE")}
    assert {name.split("{")[0] for name in values} == typed
