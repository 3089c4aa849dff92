from __future__ import annotations

import gzip
import json

import pytest
from flask.testing import FlaskClient
from web_values import done

from graphcap.store.captures import Store
from graphcap.web import answering
from graphcap.web.api import graphs

GZIP = {"Accept-Encoding": "gzip, br"}
PATHS = [
    "",
    "/source",
    "/log",
    "/breaks",
    "/guards",
    "/graphs/export.0",
    "/graphs/export.0/text",
    "/graphs/export.0/nodes/sin",
    "/graphs/export.0/export/txt",
    "/graphs/export.0/export/json",
]


@pytest.fixture
def base(store: Store) -> str:
    return f"/api/captures/{done(store).id}"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("headers", [{}, GZIP])
def test_strong_etags_and_revalidation(client: FlaskClient, base: str, path: str, headers: dict[str, str]) -> None:
    first = client.get(base + path, headers=headers)
    tag, weak = first.get_etag()
    assert tag and not weak
    assert first.headers["Cache-Control"] == "no-cache"
    again = client.get(base + path, headers={**headers, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert "Content-Encoding" not in again.headers
    assert client.get(base + path, headers={**headers, "If-None-Match": '"other"'}).status_code == 200
    assert client.get(base + path, headers={**headers, "If-None-Match": "*"}).status_code == 304


@pytest.mark.parametrize("path", ["/graphs/export.0", "/graphs/export.0/text", "/graphs/export.0/export/txt"])
def test_kept_answers_go_out_as_gzip_where_it_is_taken(client: FlaskClient, base: str, path: str) -> None:
    plain, squeezed = client.get(base + path), client.get(base + path, headers=GZIP)
    assert squeezed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(squeezed.data) == plain.data
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == squeezed.headers["Vary"] == "Accept-Encoding"
    assert plain.headers["ETag"] != squeezed.headers["ETag"]  # one strong tag for each representation


@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "br"])
def test_gzip_is_not_forced_on_anybody(client: FlaskClient, base: str, accepted: str) -> None:
    response = client.get(f"{base}/graphs/export.0", headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in response.headers
    assert json.loads(response.data)["id"] == "export.0"


def test_long_answers_made_on_the_spot_are_squeezed_too(client: FlaskClient) -> None:
    plain, squeezed = client.get("/api/examples"), client.get("/api/examples", headers=GZIP)
    assert gzip.decompress(squeezed.data) == plain.data
    assert len(squeezed.data) < len(plain.data)


def test_head_has_the_headers_of_get(client: FlaskClient, base: str) -> None:
    got, head = client.get(f"{base}/graphs/export.0"), client.head(f"{base}/graphs/export.0")
    assert (head.status_code, head.data, head.headers["ETag"]) == (200, b"", got.headers["ETag"])
    assert head.headers["Content-Length"] == str(len(got.data))


def test_the_etag_changes_with_content_and_with_the_serializer(
    client: FlaskClient, store: Store, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = [base, f"{base}/graphs/export.0/text"]
    before = [client.get(url).headers["ETag"] for url in urls]
    monkeypatch.setattr(answering, "SERIALIZER", "answers-other")
    monkeypatch.setattr(graphs, "TEXT", "text-other")
    assert all(client.get(url).headers["ETag"] != tag for url, tag in zip(urls, before, strict=True))
    assert (
        client.get(f"{base}/graphs/export.0/text").headers["ETag"] != client.get(f"{base}/graphs/export.0").headers["ETag"]
    )


def test_a_kept_answer_is_not_made_again(client: FlaskClient, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get(f"{base}/graphs/export.0").data

    def fail(graph: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(graphs, "columns", fail)
    assert client.get(f"{base}/graphs/export.0").data == first


def test_a_deleted_capture_is_not_revalidated(client: FlaskClient, store: Store) -> None:
    created = done(store)
    url = f"/api/captures/{created.id}/graphs/export.0"
    tag = client.get(url).headers["ETag"]
    store.delete(created.id)
    assert client.get(url, headers={"If-None-Match": tag}).status_code == 404
