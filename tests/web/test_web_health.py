from __future__ import annotations

import dataclasses
import importlib.metadata

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from web_values import done, queued, running

import graphcap
from graphcap.jobs.jailstate import JailState, RunnerState, ZygoteState, keep
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
        "tier": None,
        "gives": [],
        "unsafe": False,
        "zygotes": {},
    }


def test_health_says_what_the_jail_gives(app: Flask) -> None:
    zygotes = (ZygoteState("ready", 7), ZygoteState("ready", 8), ZygoteState("warming", 9))
    keep(app.extensions[EXTENSION].settings, RunnerState(JailState("landlock", ("no network",)), zygotes))
    body = app.test_client().get("/healthz").get_json()
    assert (body["status"], body["tier"], body["gives"], body["unsafe"]) == ("ok", "landlock", ["no network"], False)
    assert body["zygotes"] == {"ready": 2, "warming": 1}


@pytest.mark.parametrize("unsafe", [True, False])
def test_health_says_that_there_is_no_jail(app: Flask, unsafe: bool) -> None:
    services = app.extensions[EXTENSION]
    keep(services.settings, RunnerState(JailState("none")))
    settings = dataclasses.replace(services.settings, unsafe_no_jail=unsafe)
    app.extensions[EXTENSION] = dataclasses.replace(services, settings=settings)
    response = app.test_client().get("/healthz")
    body = response.get_json()
    assert (response.status_code, body["status"], body["tier"], body["unsafe"]) == (200, "no-jail", "none", unsafe)


def test_a_database_that_is_gone(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(app.extensions[EXTENSION].store, "queue_counts", fail)
    response = app.test_client().get("/healthz")
    assert (response.status_code, response.get_json()["status"]) == (503, "unavailable")
    assert "disk" not in response.text


def values(client: FlaskClient) -> dict[str, str]:
    response = client.get("/metrics")
    assert response.content_type == "text/plain; version=0.0.4; charset=utf-8"
    return dict(line.rsplit(" ", 1) for line in response.text.splitlines() if not line.startswith("#"))


def test_metrics(app: Flask, client: FlaskClient, store: Store) -> None:
    done(store)
    queued(store)
    queued(store)
    keep(app.extensions[EXTENSION].settings, RunnerState(JailState("landlock"), (ZygoteState("ready", 7),)))
    found = values(client)
    assert found['graphcap_captures_stored{status="done"}'] == "1.0"
    assert found['graphcap_captures_stored{status="queued"}'] == "2.0"
    assert found['graphcap_captures_total{outcome="done",status="done"}'] == "1.0"
    assert found['graphcap_stages_total{stage="export",status="done"}'] == "1.0"
    assert found['graphcap_stages_total{stage="dynamo",status="failed"}'] == "1.0"
    assert (found["graphcap_queue_length"], found["graphcap_queue_limit"]) == ("2.0", "3.0")
    assert (found["graphcap_running"], found["graphcap_slots"]) == ("0.0", "1.0")
    assert found['graphcap_jail_tier{tier="landlock"}'] == found['graphcap_zygotes{status="ready"}'] == "1.0"
    torch = importlib.metadata.version("torch")
    assert found[f'graphcap_info{{torch="{torch}",version="{graphcap.__version__}"}}'] == "1.0"


def test_seconds_of_stages_are_a_histogram(client: FlaskClient, store: Store) -> None:
    done(store)
    done(store)
    found = values(client)
    of = 'stage="export",status="done"'
    bounds = ["0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0", "30.0", "60.0", "120.0", "300.0", "+Inf"]
    counts = [found[f'graphcap_stage_seconds_bucket{{le="{bound}",{of}}}'] for bound in bounds]  # 1.5 s each
    assert counts == ["0.0"] * 4 + ["2.0"] * 8
    assert (found[f"graphcap_stage_seconds_count{{{of}}}"], found[f"graphcap_stage_seconds_sum{{{of}}}"]) == ("2.0", "3.0")


def test_kills_are_counted_by_reason_and_deleting_takes_nothing_back(client: FlaskClient, store: Store) -> None:
    for reason in ("timeout", "timeout", "memory-limit"):
        created = running(store)
        store.finish(created.id, "done", outcome=reason, kill=reason)
        store.delete(created.id)
    found = values(client)
    assert found['graphcap_jail_kills_total{reason="timeout"}'] == "2.0"
    assert found['graphcap_jail_kills_total{reason="memory-limit"}'] == "1.0"
    assert found['graphcap_captures_total{outcome="timeout",status="done"}'] == "2.0"
    assert not any("stored" in name for name in found)


def test_every_metric_has_its_type_and_help(client: FlaskClient, store: Store) -> None:
    done(store)
    text = client.get("/metrics").text
    families = list(text_string_to_metric_families(text))
    assert len(families) == 12
    assert all(family.documentation and family.type in ("gauge", "counter", "histogram") for family in families)
