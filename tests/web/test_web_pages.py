from __future__ import annotations

import gzip
import re
from pathlib import Path

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_values import done

from graphcap.store.captures import Store
from graphcap.web import assets, create_app
from graphcap.web.app import ROOT
from graphcap.web.bundles import workers
from graphcap.web.bundles.workers import WORKERS
from graphcap.web.services import EXTENSION

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "font-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


@pytest.fixture
def pages(store: Store) -> list[str]:
    return ["/", f"/c/{done(store).id}"]


def test_pages_have_nothing_inline_and_every_file_they_name_is_served(client: FlaskClient, pages: list[str]) -> None:
    for page in pages:
        response = client.get(page)
        assert (response.status_code, response.content_type) == (200, "text/html; charset=utf-8")
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", response.text)
        names = re.findall(r'(?:src|href)="(/static/[^"]+)"', response.text)
        assert len(names) > 3
        for name in names:
            served = client.get(name)
            assert (name, served.status_code) == (name, 200)
            assert served.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_the_page_of_a_capture_names_its_graphs_the_one_that_opens_first(client: FlaskClient, store: Store) -> None:
    id = done(store).id
    named = re.search(r'data-graphs="([^"]*)"', client.get(f"/c/{id}").text)
    assert named
    stages = client.get(f"/api/captures/{id}").json["stages"]  # type: ignore[index]
    graphs = {stage["id"]: [graph["id"] for graph in stage["graphs"]] for stage in stages if stage["status"] == "done"}
    assert named[1].split(" ")[0] == graphs["export"][0]
    assert sorted(named[1].split(" ")) == sorted(gid for each in graphs.values() for gid in each)


@pytest.mark.parametrize("url", ["/", "/c/nothing", "/api/examples", "/api/nothing", "/healthz", "/static/x/none.js"])
def test_security_headers_are_on_every_answer(client: FlaskClient, url: str) -> None:
    sent = client.get(url).headers
    policy = dict(part.strip().split(" ", 1) for part in sent["Content-Security-Policy"].split(";"))
    assert policy == POLICY
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert sent["X-Frame-Options"] == "DENY"
    assert sent["Referrer-Policy"] == "same-origin"


def test_documents_and_workers_have_a_policy_and_modules_only_what_they_need(app: Flask) -> None:
    found: assets.Assets = app.extensions[EXTENSION].assets
    client = app.test_client()
    for name in ("js/layout/worker.js", "css/icon.svg"):
        assert "Content-Security-Policy" in client.get(f"{found.base}/{name}").headers
    for name in ("js/main.js", "css/graph.css"):
        sent = client.get(f"{found.base}/{name}", headers={"Accept-Encoding": "gzip"}).headers
        assert sent["X-Content-Type-Options"] == "nosniff"
        assert len(str(sent)) < 350


def test_a_capture_names_the_modules_of_its_worker_in_its_head(client: FlaskClient, store: Store) -> None:
    id = done(store).id
    named = [
        re.findall(r'<link rel="modulepreload" href="/static/[^/]+/([^"]+)">', client.get(f"/{page}/{id}").text)
        for page in ("c", "embed")
    ]
    assert named[0] == named[1]
    assert named[0][0] == "js/layout/worker.js" and "js/layout/layered/layered.js" in named[0]
    assert len(named[0]) == len(set(named[0])) > 40
    assert not [name for name in named[0] if not name.startswith(("js/layout/", "js/model/", "js/base/"))]


def test_what_a_worker_imports_is_found_through_others() -> None:
    texts = {
        WORKERS[0]: 'import { a } from "./a.js";\nconst late = await import("./late.js");\n',
        "js/layout/a.js": 'import "../b.js";\nimport "./c.js";\n',
        "js/b.js": "",
        "js/layout/c.js": 'import "../b.js";\n',
        "js/layout/late.js": "",
    }
    assert workers.modules(texts) == (WORKERS[0], "js/layout/a.js", "js/b.js", "js/layout/c.js")
    assert workers.modules({}) == ()


def test_every_module_that_is_started_as_a_worker_is_known() -> None:
    started = set()
    for path in (ROOT / "static" / "js").rglob("*.js"):
        for name in re.findall(r"new (?:Shared)?Worker\(\s*new URL\(\s*[\"']([^\"']+)", path.read_text()):
            started.add((path.parent / name).resolve().relative_to(ROOT / "static").as_posix())
    assert started == set(WORKERS)


@pytest.mark.parametrize("url", ["/", "/api/examples", "/api/server", "/api/captures?ids=a", "/healthz", "/metrics"])
def test_other_sites_are_given_nothing(client: FlaskClient, url: str) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for response in (client.get(url, headers=asked), client.options(url, headers=asked)):
        assert not [name for name, _ in response.headers if name.lower().startswith("access-control")]
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_pages_are_revalidated(client: FlaskClient, pages: list[str]) -> None:
    for page in pages:
        response = client.get(page)
        assert response.headers["Cache-Control"] == "no-cache"
        assert client.get(page, headers={"If-None-Match": response.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("suffix", "media_type"),
    [(".js", "text/javascript; charset=utf-8"), (".css", "text/css; charset=utf-8"), (".svg", "image/svg+xml")],
)
def test_media_types_do_not_depend_on_the_system(app: Flask, suffix: str, media_type: str) -> None:
    found: assets.Assets = app.extensions[EXTENSION].assets
    names = [name for name in found.files if name.endswith(suffix)]
    assert names
    for name in names:
        assert app.test_client().get(f"{found.base}/{name}").content_type == media_type


def test_files_are_sent_compressed(app: Flask) -> None:
    found: assets.Assets = app.extensions[EXTENSION].assets
    name = next(name for name in found.files if name.endswith(".js"))
    response = app.test_client().get(f"{found.base}/{name}", headers={"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.data) == found.files[name].content


def test_files_are_sent_as_brotli_where_it_is_taken(app: Flask) -> None:
    found: assets.Assets = app.extensions[EXTENSION].assets
    url = f"{found.base}/js/main.js"
    client = app.test_client()
    sent = [client.get(url, headers={"Accept-Encoding": taken}) for taken in ("identity", "gzip", "gzip, deflate, br")]
    plain, gzipped, smaller = sent
    assert [each.headers.get("Content-Encoding") for each in sent] == [None, "gzip", "br"]
    assert brotli.decompress(smaller.data) == plain.data
    assert len(smaller.data) < len(gzipped.data)
    assert len({each.headers["ETag"] for each in sent}) == 3
    assert {each.headers["Vary"] for each in sent} == {"Accept-Encoding"}
    again = client.get(url, headers={"Accept-Encoding": "br", "If-None-Match": smaller.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"]) == (304, smaller.headers["ETag"])
    assert "Content-Encoding" not in client.get(url, headers={"Accept-Encoding": "br;q=0"}).headers


def test_a_page_of_another_version_is_still_served_but_keeps_nothing(app: Flask) -> None:
    found: assets.Assets = app.extensions[EXTENSION].assets
    response = app.test_client().get(f"/static/0123456789ab/{next(iter(found.files))}")
    assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.parametrize(
    "name", ["../app.py", "%2e%2e/app.py", "..%2Fapp.py", "/etc/passwd", "js/../../app.py", "js", "js/"]
)
def test_nothing_else_is_served(app: Flask, name: str) -> None:
    url = f"{app.extensions[EXTENSION].assets.base}/{name}"
    assert app.test_client().get(url, follow_redirects=True).status_code == 404


def test_the_version_follows_names_and_content(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    first = assets.read(tmp_path).version
    assert assets.read(tmp_path).version == first
    (tmp_path / "a.js").write_text("2")
    second = assets.read(tmp_path).version
    (tmp_path / "a.js").rename(tmp_path / "b.js")
    assert len({first, second, assets.read(tmp_path).version}) == 3


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRAPHCAP_DATA_DIR", str(tmp_path / "deep" / "er"))
    app = create_app(with_runner=False)
    assert app.test_client().get("/healthz").status_code == 200
    assert any((tmp_path / "deep" / "er").iterdir())
