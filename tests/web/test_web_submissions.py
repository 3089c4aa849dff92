from __future__ import annotations

import io
import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from graphcap.store.captures import Store

CODE = "import torch\nmodel = torch.nn.Linear(2, 3)\nexample_args = (torch.randn(1, 2),)\n"


def upload(client: FlaskClient, data: bytes, name: str = "net.py", **fields: Any) -> TestResponse:
    return client.post("/api/captures", data={"file": (io.BytesIO(data), name), **fields})


def code_of(response: TestResponse) -> str:
    assert response.content_type == "application/problem+json"
    body = response.get_json(force=True)
    assert body["status"] == response.status_code
    return str(body["code"])


def test_pasted_code(client: FlaskClient, store: Store) -> None:
    response = client.post("/api/captures", json={"code": CODE, "name": "mine.py", "options": {"mode": "train"}})
    body = response.get_json()
    assert response.status_code == 202
    assert sorted(body) == ["delete_token", "id", "status", "url"]
    assert (body["status"], body["url"]) == ("queued", f"/c/{body['id']}")
    assert response.headers["Location"] == f"/api/captures/{body['id']}"
    assert response.headers["Cache-Control"] == "no-store"
    assert store.token_matches(body["id"], body["delete_token"])
    capture = client.get(f"/api/captures/{body['id']}").get_json()
    assert (capture["status"], capture["options"]["mode"]) == ("queued", "train")
    assert client.get(f"/api/captures/{body['id']}/source").get_json()["files"][0]["text"] == CODE
    assert client.get(body["url"]).status_code == 200


def test_code_alone_is_enough(client: FlaskClient) -> None:
    body = client.post("/api/captures", json={"code": CODE}).get_json()
    assert client.get(f"/api/captures/{body['id']}").get_json()["source"]["files"][0]["name"] == "model.py"


@pytest.mark.parametrize("options", [None, "", '{"stages": ["export"]}'])
def test_an_uploaded_file(client: FlaskClient, options: str | None) -> None:
    fields = {} if options is None else {"options": options}
    body = upload(client, CODE.encode(), **fields).get_json()
    capture = client.get(f"/api/captures/{body['id']}").get_json()
    assert capture["source"] == {"files": [{"name": "net.py", "size": len(CODE), "cells": []}], "kind": "py"}
    assert len(capture["stages"]) == (1 if options else 7)


def test_every_submission_is_its_own(client: FlaskClient) -> None:
    first, second = (client.post("/api/captures", json={"code": CODE}).get_json() for _ in range(2))
    assert first["id"] != second["id"]
    assert first["delete_token"] != second["delete_token"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "truncated"),
        (b"{", "truncated"),
        (b'{"code": "x"', "truncated"),
        (b"[]", "object"),
        (b'"code"', "object"),
        (b'{"code": "x", "option": {}}', "option"),
        (b'{"code": "\xff"}', "utf-8"),
        (b"[" * 100_000, ""),
    ],
)
def test_json_that_can_not_be_read(client: FlaskClient, body: bytes, said: str) -> None:
    response = client.post("/api/captures", data=body, content_type="application/json")
    assert (response.status_code, code_of(response)) == (400, "bad-request")
    assert said in response.get_json(force=True)["detail"].lower()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({}, "bad-request"),
        ({"code": 7}, "bad-request"),
        ({"code": CODE, "name": 7}, "bad-request"),
        ({"code": CODE, "options": []}, "bad-options"),
        ({"code": CODE, "options": {"mode": "sideways"}}, "bad-options"),
        ({"code": CODE, "options": {"unknown": 1}}, "bad-options"),
        ({"code": " \n"}, "empty-upload"),
        ({"code": "a\0b"}, "not-text"),
        ({"code": "#" * (65 * 1024)}, "too-large"),
    ],
)
def test_pasted_code_that_is_refused(client: FlaskClient, sent: dict[str, Any], code: str) -> None:
    assert code_of(client.post("/api/captures", json=sent)) == code


def test_files_that_are_refused(client: FlaskClient) -> None:
    assert code_of(upload(client, b"")) == "empty-upload"
    assert code_of(upload(client, b"\xff\xfe\x00")) == "not-text"
    assert code_of(upload(client, b"GIF89a", "cat.gif")) == "unsupported-upload"
    assert code_of(upload(client, CODE.encode(), options="{")) == "bad-options"
    assert code_of(client.post("/api/captures", data={}, content_type="multipart/form-data")) == "bad-request"
    two = [(io.BytesIO(b"x"), "a.py"), (io.BytesIO(b"y"), "b.py")]
    assert code_of(client.post("/api/captures", data={"file": two})) == "which-entry"


@pytest.mark.parametrize("parts", [{"files": 1}, {"file": "text, no file"}, {"code": CODE}])
def test_parts_of_a_form_that_are_not_understood_are_named(client: FlaskClient, parts: dict[str, Any]) -> None:
    response = client.post("/api/captures", data=parts, content_type="multipart/form-data")
    assert code_of(response) == "bad-request"
    assert next(iter(parts)) in response.get_json(force=True)["detail"]


def test_options_sent_as_a_file_are_not_silently_dropped(client: FlaskClient) -> None:
    response = upload(client, CODE.encode(), options=(io.BytesIO(b"{}"), "options.json"))
    assert code_of(response) == "bad-request"


@pytest.mark.parametrize("content_type", [None, "text/x-python", "application/x-www-form-urlencoded"])
def test_other_content_types_are_told_how(client: FlaskClient, content_type: str | None) -> None:
    response = client.post("/api/captures", data=CODE.encode(), content_type=content_type)
    assert (response.status_code, code_of(response)) == (415, "unsupported-upload")
    assert "file=@" in response.get_json(force=True)["hint"]


def test_a_full_queue(client: FlaskClient) -> None:
    for _ in range(3):
        assert client.post("/api/captures", json={"code": CODE}).status_code == 202
    response = client.post("/api/captures", json={"code": CODE})
    assert (response.status_code, code_of(response)) == (503, "too-busy")
    assert int(response.headers["Retry-After"]) > 0


def test_another_site_can_not_submit(client: FlaskClient) -> None:
    response = client.post("/api/captures", json={"code": CODE}, headers={"Sec-Fetch-Site": "cross-site"})
    assert code_of(response) == "forbidden"


class Endless(io.RawIOBase):
    """A body that counts what is read of it and never keeps anything."""

    def __init__(self, size: int, head: bytes = b"") -> None:
        self.left, self.largest, self._head = size, 0, head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.largest = max(self.largest, len(buffer))
        count = min(len(buffer), self.left)
        head, self._head = self._head[:count], self._head[count:]
        buffer[:count] = head + b"x" * (count - len(head))
        self.left -= count
        return count


MULTIPART = "multipart/form-data; boundary=cut"
PART = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a.py"\r\n\r\n'


def send(app: Flask, body: Endless, content_type: str, **environ: Any) -> TestResponse:
    sent = {"wsgi.input": body, "CONTENT_TYPE": content_type, **environ}
    return app.test_client().post("/api/captures", environ_overrides=sent)


@pytest.mark.parametrize("content_type", [MULTIPART, "application/json"])
def test_300_mb_are_refused_by_their_announcement(app: Flask, content_type: str) -> None:
    body = Endless(300_000_000, PART)
    response = send(app, body, content_type, CONTENT_LENGTH="300000000")
    assert (response.status_code, code_of(response)) == (413, "too-large")
    detail = response.get_json(force=True)["detail"]
    assert "300,000,000" in detail and "1 MiB" in detail
    assert body.left == 300_000_000  # nothing was read


@pytest.mark.parametrize("content_type", [MULTIPART, "application/json"])
def test_300_mb_in_chunks_are_refused_as_they_come(app: Flask, content_type: str) -> None:
    body = Endless(300_000_000, PART)
    chunked = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}
    response = send(app, body, content_type, **chunked)
    assert (response.status_code, code_of(response)) == (413, "too-large")
    assert "1 MiB" in response.get_json(force=True)["detail"]
    assert body.largest <= 3_000_000  # never more at once than the limit
    assert body.left == 0  # read to nowhere, so that the answer arrives


def test_large_parts_wait_in_the_data_folder_and_leave_nothing(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    data_dir = app.extensions["graphcap"].settings.data_dir
    before = sorted(data_dir.iterdir())
    monkeypatch.setenv("TMPDIR", "/nonexistent")
    assert code_of(upload(app.test_client(), b"#" * 900_000)) == "too-large"
    assert sorted(data_dir.iterdir()) == before


def test_a_form_with_a_field_that_is_too_large(client: FlaskClient) -> None:
    response = upload(client, CODE.encode(), options="x" * 300_000)
    assert code_of(response) == "too-large"
    assert "262,144" in response.get_json(force=True)["detail"]


def test_the_largest_options_fit_into_a_form(client: FlaskClient) -> None:
    options = json.dumps({"inputs": "é" * 19_992 + ": f32[2]"})
    assert upload(client, CODE.encode(), options=options).status_code == 202
