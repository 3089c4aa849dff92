"""The viewer with a capture in one file: whole, closed to the network, and exactly what the API answers."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import re
from typing import Any, NamedTuple

import msgspec
import pytest
from flask.testing import FlaskClient
from web_values import WHOLE, done, running

from graphcap.store.captures import Store
from graphcap.web.standalone.addresses import addresses

PIECE = re.compile(r'<script type="text/plain" data-kept="([^"]+)" data-status="(\d+)">([A-Za-z0-9+/=]*)</script>')


class File(NamedTuple):
    """The file of a capture, taken apart."""

    id: str
    text: str
    pieces: dict[str, tuple[int, bytes]]


@pytest.fixture
def file(client: FlaskClient, store: Store) -> File:
    id = done(store).id
    response = client.get(f"/api/captures/{id}/export/html?view=v1%3Fp%3Dexport.0%26q%3D%22%3E%3Cb%3E")
    assert response.content_type == "text/html; charset=utf-8"
    assert response.headers["Content-Disposition"] == 'attachment; filename="graphcap-model.html"'
    found = PIECE.findall(response.text)
    kept = {html.unescape(name): (int(status), gzip.decompress(base64.b64decode(text))) for name, status, text in found}
    assert len(kept) == len(found)
    return File(id, response.text, kept)


def test_it_holds_what_the_api_answers(file: File, client: FlaskClient, store: Store) -> None:
    summary = store.summary(file.id)
    assert summary is not None
    asked = list(addresses(summary))
    assert set(file.pieces) == {"scripts", *asked}
    for address in asked:
        answer = client.get(address)
        assert file.pieces[address] == (answer.status_code, answer.data)


def test_every_graph_has_its_columns_text_and_nodes(file: File) -> None:
    base = f"/api/captures/{file.id}/graphs/"
    for gid in ("export.0", "export.0%2Ftext"):
        for what in ("", "/text", "/nodes"):
            assert file.pieces[f"{base}{gid}{what}"][0] == 200
    nodes = msgspec.json.decode(file.pieces[f"{base}export.0/nodes"][1])["nodes"]
    assert [node["name"] for node in nodes] == [node.name for node in WHOLE.nodes]


def test_it_names_no_address_that_is_loaded(file: File) -> None:
    page = PIECE.sub("", file.text)
    named = re.findall(r"""(?:src|href|url)[=(]["']?([^"')]+)""", re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL))
    assert named
    assert [name for name in named if not name.startswith(("data:", "#"))] == []
    assert "/static/" not in page
    assert "import(" in page and 'type="module"' not in page


def test_its_policy_lets_nothing_in_but_what_stands_in_it(file: File) -> None:
    page = PIECE.sub("", file.text)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy[1].split(";"))
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    assert "unsafe" not in policy[1]
    for tag, rule in (("script", "script-src"), ("style", "style-src")):
        inline = re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", page, re.DOTALL)
        hashes = {f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in inline}
        assert hashes == set(rules[rule].split()) - {"blob:"}
    assert page.index("Content-Security-Policy") < page.index("<script>")


def test_the_view_is_a_value_and_no_markup(file: File) -> None:
    assert 'data-view="v1?p=export.0&amp;q=&#34;&gt;&lt;b&gt;"' in file.text


def test_the_scripts_lead_to_nothing_that_is_not_in_the_file(file: File) -> None:
    scripts: dict[str, Any] = msgspec.json.decode(file.pieces["scripts"][1])
    marked = re.findall(r'"kept:([^"]+)"', scripts["page"])
    assert marked and set(marked) == set(scripts["apart"])
    asked = re.findall(r"""^import\b[^\n]*?["']([^"']+)["'];$|\bawait import\(["']([^"']+)""", scripts["page"], re.MULTILINE)
    assert asked and all((early or late).startswith("kept:") for early, late in asked)
    assert not re.search(r"^(?:import|export)\b", scripts["worker"], re.MULTILINE)
    assert "import.meta" not in scripts["worker"]


def test_a_capture_that_runs_has_none_yet(client: FlaskClient, store: Store) -> None:
    answer = client.get(f"/api/captures/{running(store).id}/export/html")
    assert (answer.status_code, answer.get_json()["code"]) == (409, "conflict")
    assert client.get("/api/captures/none/export/html").status_code == 404
