"""The operator's page: who sees it, and what it says."""

from __future__ import annotations

import base64
import dataclasses
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_values import done, queued

from graphcap.jobs.jailstate import JailState, RunnerState, ZygoteState, keep
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.web.services import EXTENSION

ELSEWHERE = {"REMOTE_ADDR": "192.0.2.1"}
TOKEN = "correct-horse-battery"


def configure(app: Flask, **settings: Any) -> FlaskClient:
    services = app.extensions[EXTENSION]
    app.extensions[EXTENSION] = dataclasses.replace(services, settings=dataclasses.replace(services.settings, **settings))
    return app.test_client()


def basic(password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"me:{password}".encode()).decode()}


def test_it_says_what_there_is(app: Flask, store: Store) -> None:
    done(store)
    queued(store)
    jail = JailState("landlock", ("reads only Python and torch",), (("namespaces", "unshare: <EPERM>"),))
    keep(app.extensions[EXTENSION].settings, RunnerState(jail, (ZygoteState("ready", 4711, 17, 2, 1_700_000_000.0),)))
    client = configure(app, database_url="postgresql://me:secretpass@db/x")
    response = client.get("/operator")
    assert (response.status_code, response.mimetype, response.headers["Cache-Control"]) == (200, "text/html", "no-store")
    text = " ".join(response.text.split())
    for said in (
        "Tier landlock.",
        "reads only Python and torch",
        "unshare: &lt;EPERM&gt;",
        "1 of at most 3 captures wait; 0 of at most 1 run.",
        "<td>ready</td><td>4711</td><td>17</td><td>2</td><td>2023-11-14 22:13:20 UTC</td>",
        "<td>done</td><td>done</td><td>1</td>",
        "<td>export</td><td>done</td><td>1</td><td>1.50</td>",
    ):
        assert said in text
    for field in dataclasses.fields(Settings):
        assert f"GRAPHCAP_{field.name.upper()}" in text
    assert "secretpass" not in text


@pytest.mark.parametrize(("unsafe", "said"), [(False, "it runs nothing"), (True, "can read and change all")])
def test_it_says_that_there_is_no_jail(app: Flask, unsafe: bool, said: str) -> None:
    keep(app.extensions[EXTENSION].settings, RunnerState(JailState("none")))
    assert said in configure(app, unsafe_no_jail=unsafe).get("/operator").text


def test_it_says_that_nothing_is_known_yet(client: FlaskClient) -> None:
    assert "No tier is chosen yet" in client.get("/operator").text


@pytest.mark.parametrize("headers", [{"X-Forwarded-For": "127.0.0.1"}, {"Via": "1.1 x"}])
def test_without_a_token_it_is_for_this_machine_alone(client: FlaskClient, headers: dict[str, str]) -> None:
    for response in (client.get("/operator", environ_overrides=ELSEWHERE), client.get("/operator", headers=headers)):
        assert (response.status_code, response.mimetype) == (403, "text/html")
        assert "GRAPHCAP_OPERATOR_TOKEN" in response.text and "Jail" not in response.text


@pytest.mark.parametrize("environ", [{}, ELSEWHERE])
def test_with_a_token_it_is_for_whoever_knows_it(app: Flask, environ: dict[str, str]) -> None:
    client = configure(app, operator_token=TOKEN)
    for headers in (basic(TOKEN), {"Authorization": f"Bearer {TOKEN}"}):
        assert client.get("/operator", headers=headers, environ_overrides=environ).status_code == 200, headers
    for headers in ({}, basic("wrong"), basic(""), {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer"}):
        response = client.get("/operator", headers=headers, environ_overrides=environ)
        assert response.status_code == 401
        assert response.headers["WWW-Authenticate"].startswith("Basic realm=")
        assert "Settings and limits" not in response.text


def test_a_name_that_somebody_else_made_lead_here_is_refused(client: FlaskClient) -> None:
    response = client.get("/operator", headers={"Host": "evil.example"}, environ_overrides={"SERVER_NAME": "127.0.0.1"})
    assert response.status_code == 403
    assert "does not go by that name" in response.text
