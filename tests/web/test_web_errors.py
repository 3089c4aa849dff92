"""One shape for every error of the API, walked endpoint by endpoint."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_values import done
from werkzeug.test import TestResponse

from graphcap.errors import STATUS
from graphcap.store.captures import Store
from graphcap.web.openapi.operations import OPERATIONS

UNKNOWN = {
    "version": "0",
    "id": "AAAAAAAAAAAAAAAAAAAAAA",
    "gid": "export.0",
    "gid_a": "export.0",
    "gid_b": "export.0",
    "name": "x",
    "format": "txt",
}
WITH_ID = sorted((method, path) for method, path in OPERATIONS if "{id}" in path)


def problem(response: TestResponse, code: str) -> dict[str, Any]:
    assert response.content_type == "application/problem+json"
    body: dict[str, Any] = response.get_json(force=True)
    assert sorted(body) == ["code", "detail", "hint", "status", "title", "type"]
    assert (body["code"], body["status"], response.status_code) == (code, STATUS[code], STATUS[code])
    assert body["type"] == "about:blank"
    assert body["title"]
    assert response.headers["Cache-Control"] == "no-store"
    return body


@pytest.mark.parametrize(("method", "path"), WITH_ID)
def test_an_unknown_capture_is_not_found(client: FlaskClient, method: str, path: str) -> None:
    response = client.open(path.format(**UNKNOWN), method=method, headers={"Authorization": "Bearer x"})
    assert UNKNOWN["id"] in problem(response, "not-found")["detail"]


@pytest.mark.parametrize("path", sorted({path for _, path in OPERATIONS if "{gid}" in path}))
def test_an_unknown_graph_is_named_and_the_known_ones_are_listed(client: FlaskClient, store: Store, path: str) -> None:
    url = path.format(**{**UNKNOWN, "id": done(store).id, "gid": "joint.7"})
    body = problem(client.get(url), "not-found")
    assert "joint.7" in body["detail"]
    assert "export.0, export.0/text" in body["hint"]


def test_an_unknown_node_is_named(client: FlaskClient, store: Store) -> None:
    body = problem(client.get(f"/api/captures/{done(store).id}/graphs/export.0/nodes/nobody"), "not-found")
    assert "nobody" in body["detail"] and "export.0" in body["detail"]


def test_an_unknown_format_is_named_and_the_known_ones_are_listed(client: FlaskClient, store: Store) -> None:
    body = problem(client.get(f"/api/captures/{done(store).id}/graphs/export.0/export/xlsx"), "not-found")
    assert "xlsx" in body["detail"] and "txt, json" in body["hint"]


@pytest.mark.parametrize("path", sorted({path for _, path in OPERATIONS}))
def test_a_method_that_is_not_allowed(client: FlaskClient, path: str) -> None:
    response = client.patch(path.format(**UNKNOWN))
    body = problem(response, "method-not-allowed")
    allowed = {method.upper() for method, other in OPERATIONS if other == path}
    assert allowed <= set(response.headers["Allow"].split(", "))
    assert all(method in body["detail"] for method in allowed)


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/api/captures/x/y", "/api/captures/x/graphs/"])
def test_an_address_that_is_not_there(client: FlaskClient, path: str) -> None:
    problem(client.get(path), "not-found")


@pytest.mark.parametrize(("method", "path"), [("post", "/cancel"), ("delete", "")])
@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "Bearer ", "Basic eDp5", "Bearer \xe4"])
def test_a_wrong_token_is_forbidden(
    client: FlaskClient, store: Store, method: str, path: str, authorization: str | None
) -> None:
    created = done(store)
    headers = {"Authorization": authorization} if authorization else {}
    body = problem(client.open(f"/api/captures/{created.id}{path}", method=method, headers=headers), "forbidden")
    assert "Authorization: Bearer" in body["hint"]
    assert store.summary(created.id) is not None


def test_the_token_of_another_capture_is_wrong_too(client: FlaskClient, store: Store) -> None:
    mine, other = done(store), done(store)
    problem(
        client.delete(f"/api/captures/{other.id}", headers={"Authorization": f"Bearer {mine.delete_token}"}), "forbidden"
    )


def test_ids_that_are_missing_or_too_many(client: FlaskClient) -> None:
    assert "ids" in problem(client.get("/api/captures"), "bad-request")["detail"]
    assert (
        "201"
        in problem(client.get("/api/captures?ids=" + ",".join("a" * n for n in range(1, 202))), "bad-request")["detail"]
    )


@pytest.mark.parametrize("path", ["/api/examples", "/", "/healthz"])
def test_what_nobody_expected_is_logged_whole_and_shown_without_text(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    def fail() -> None:
        raise RuntimeError("the secret text")

    app.before_request_funcs.setdefault(None, []).append(fail)
    with caplog.at_level(logging.ERROR):
        response = app.test_client().get(path)
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "the secret text" in caplog.text
    number = caplog.records[-1].getMessage().split()[1]
    assert number in response.text
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_people_get_a_page(client: FlaskClient) -> None:
    for response in (client.get("/c/nothing"), client.get("/nothing"), client.get("/<script>alert(1)</script>")):
        assert (response.status_code, response.mimetype) == (404, "text/html")
        assert "<script>alert" not in response.text
        assert "<h1>" in response.text
    assert client.delete("/").status_code == 405
