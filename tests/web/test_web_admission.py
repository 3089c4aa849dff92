"""Whose submissions are taken: addresses behind proxies, machines without a jail, limits of one address."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_values import CODE
from werkzeug.test import TestResponse

from graphcap.jobs.jailstate import JailState, RunnerState, Tier, keep
from graphcap.jobs.versions import reuse_key
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.web.admission.address import sender_of
from graphcap.web.services import EXTENSION

ELSEWHERE = {"REMOTE_ADDR": "192.0.2.1"}
PROXIED = [
    {"X-Forwarded-For": "127.0.0.1"},
    {"X-Forwarded-Proto": "https"},
    {"X-Forwarded-Host": "localhost"},
    {"Forwarded": "for=127.0.0.1"},
    {"Via": "1.1 proxy"},
    {"X-Real-IP": "127.0.0.1"},
    {"CF-Connecting-IP": "127.0.0.1"},
]


def sender(peer: str, forwarded: str | None = None, trusted: int = 0) -> tuple[str, bool]:
    environ = {"REMOTE_ADDR": peer, **({} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded})}
    found = sender_of(environ, Settings(trusted_proxies=trusted))
    return found.address, found.local


@pytest.mark.parametrize(
    ("peer", "counted_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
    ],
)
def test_an_address_counts_as_itself_or_as_its_network(peer: str, counted_as: str) -> None:
    assert sender(peer) == (counted_as, False)


@pytest.mark.parametrize(
    ("forwarded", "trusted", "counted_as"),
    [
        ("198.51.100.7", 0, "10.0.0.1"),  # whoever sends it may have made it up
        ("198.51.100.7", 1, "198.51.100.7"),
        ("203.0.113.9, 198.51.100.7", 1, "198.51.100.7"),
        ("203.0.113.9, 198.51.100.7", 2, "203.0.113.9"),
        ("198.51.100.7", 2, "198.51.100.7"),
        ("198.51.100.7:4711", 1, "198.51.100.7"),
        ("[2001:db8::1]:80", 1, "2001:db8::/64"),
        ("nonsense", 1, "unknown"),
        (" , ", 1, "10.0.0.1"),
    ],
)
def test_only_entries_of_trusted_proxies_are_believed(forwarded: str, trusted: int, counted_as: str) -> None:
    assert sender("10.0.0.1", forwarded, trusted) == (counted_as, False)


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_itself(peer: str) -> None:
    assert sender(peer)[1]
    assert not sender(peer, "127.0.0.1")[1]
    assert not sender(peer, "127.0.0.1", trusted=1)[1]


def configure(app: Flask, tier: Tier | None = None, **settings: Any) -> FlaskClient:
    services = app.extensions[EXTENSION]
    if tier is not None:
        keep(services.settings, RunnerState(JailState(tier)))
    app.extensions[EXTENSION] = dataclasses.replace(services, settings=dataclasses.replace(services.settings, **settings))
    return app.test_client()


def submit(client: FlaskClient, environ: dict[str, str] | None = None, code: str = CODE, **headers: str) -> TestResponse:
    return client.post("/api/captures", json={"code": code}, environ_overrides=environ or {}, headers=headers)


def code_of(response: TestResponse) -> str:
    return str(response.get_json(force=True)["code"])


@pytest.mark.parametrize("tier", ["namespaces", "landlock", None])
def test_with_a_jail_everybody_is_run(app: Flask, tier: Tier | None) -> None:
    client = configure(app, tier)
    assert submit(client, ELSEWHERE).status_code == 202
    assert client.get("/api/server", environ_overrides=ELSEWHERE).get_json() == {"tier": tier, "accepts": True, "reason": ""}


@pytest.mark.parametrize("environ", [{}, ELSEWHERE])
def test_without_a_jail_nothing_is_run(app: Flask, store: Store, environ: dict[str, str]) -> None:
    client = configure(app, "none")
    response = submit(client, environ)
    assert (response.status_code, response.content_type, code_of(response)) == (403, "application/problem+json", "no-jail")
    assert "GRAPHCAP_UNSAFE_NO_JAIL=1" in response.get_json(force=True)["hint"]
    assert store.counts() == {}
    told = client.get("/api/server", environ_overrides=environ).get_json()
    assert (told["tier"], told["accepts"]) == ("none", False) and "runs nothing" in told["reason"]


def test_unless_the_operator_says_so_and_then_for_this_machine(app: Flask) -> None:
    client = configure(app, "none", unsafe_no_jail=True)
    assert submit(client).status_code == 202
    assert client.get("/api/server").get_json() == {"tier": "none", "accepts": True, "reason": ""}
    assert code_of(submit(client, ELSEWHERE)) == "no-jail"
    assert not client.get("/api/server", environ_overrides=ELSEWHERE).get_json()["accepts"]


@pytest.mark.parametrize("headers", PROXIED, ids=lambda headers: next(iter(headers)))
@pytest.mark.parametrize("trusted", [0, 1])
def test_what_came_through_a_proxy_is_not_of_this_machine(app: Flask, headers: dict[str, str], trusted: int) -> None:
    client = configure(app, "none", unsafe_no_jail=True, trusted_proxies=trusted)
    assert code_of(submit(client, **headers)) == "no-jail"
    told = client.get("/api/server", headers=headers).get_json()
    assert not told["accepts"] and "from the machine itself" in told["reason"]


def test_what_was_captured_can_still_be_seen(app: Flask) -> None:
    client = configure(app)
    id = submit(client).get_json()["id"]
    configure(app, "none")
    assert client.get(f"/api/captures/{id}").status_code == 200
    assert client.get("/").status_code == client.get(f"/c/{id}").status_code == 200


def test_a_minute_has_so_many(app: Flask, store: Store) -> None:
    client = configure(app, client_captures=0, client_captures_per_minute=2, queue=10)
    for _ in range(2):
        assert submit(client, ELSEWHERE).status_code == 202
    response = submit(client, ELSEWHERE)
    assert (response.status_code, code_of(response)) == (429, "rate-limited")
    assert 0 < int(response.headers["Retry-After"]) <= 60
    assert submit(client, {"REMOTE_ADDR": "192.0.2.2"}).status_code == 202
    assert all(submit(client).status_code == 202 for _ in range(3))  # this machine
    assert store.counts() == {"queued": 6}


def test_it_is_told_before_the_upload_is_read(app: Flask) -> None:
    client = configure(app, client_captures_per_minute=1)
    submit(client, ELSEWHERE)
    response = client.post("/api/captures", data=b"{", content_type="application/json", environ_overrides=ELSEWHERE)
    assert code_of(response) == "rate-limited"


def test_so_many_wait_and_run_at_once(app: Flask, store: Store) -> None:
    client = configure(app, client_captures=2, client_captures_per_minute=0, queue=10)
    made = [submit(client, ELSEWHERE).get_json() for _ in range(2)]
    response = submit(client, ELSEWHERE)
    assert (response.status_code, code_of(response)) == (429, "too-many-captures")
    assert int(response.headers["Retry-After"]) > 0
    headers = {"Authorization": f"Bearer {made[0]['delete_token']}"}
    assert client.post(f"/api/captures/{made[0]['id']}/cancel", headers=headers).status_code == 202
    assert submit(client, ELSEWHERE).status_code == 202


def test_everybody_behind_a_trusted_proxy_has_limits_of_their_own(app: Flask) -> None:
    client = configure(app, client_captures=1, trusted_proxies=1, queue=10)
    assert submit(client, **{"X-Forwarded-For": "192.0.2.1"}).status_code == 202
    assert submit(client, **{"X-Forwarded-For": "192.0.2.2"}).status_code == 202
    assert submit(client, **{"X-Forwarded-For": "198.51.100.1, 192.0.2.2"}).status_code == 429


def test_what_need_not_be_run_is_there_at_once(app: Flask, store: Store) -> None:
    client = configure(app)
    first = submit(client).get_json()
    claimed = store.claim()
    assert claimed is not None
    assert submit(client).get_json()["status"] == "queued"  # not finished
    store.finish(first["id"], "done", reuse_key=reuse_key(claimed.submission))
    response = submit(client)
    again = response.get_json()
    assert (response.status_code, again["status"]) == (202, "done")
    assert again["id"] != first["id"] and again["delete_token"] != first["delete_token"]
    capture = client.get(f"/api/captures/{again['id']}").get_json()
    assert (capture["status"], capture["queue_position"]) == ("done", None)
    assert "event: done" in client.get(f"/api/captures/{again['id']}/events").text
    asked = client.post("/api/captures", json={"code": CODE, "options": {"rerun": True}})
    assert asked.get_json()["status"] == "queued"
