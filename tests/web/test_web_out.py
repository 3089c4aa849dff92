"""What leaves the page: frames in other pages, outlines without JavaScript, formats of other programs."""

from __future__ import annotations

import html.parser
import io
import re

import msgspec
import networkx as nx
import pytest
from flask.testing import FlaskClient
from web_values import BODY, EXPORT, STAGES, TARGET, WHOLE, done, queued

from graphcap.store.captures import Store

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Tags(html.parser.HTMLParser):
    """Fails where tags are not closed in order; keeps texts and ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.deepest = 0
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name == "href"]
        self.deepest = max(self.deepest, self.open.count("details"))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def id(store: Store) -> str:
    return done(store).id


def test_only_the_embedded_page_may_stand_in_frames(client: FlaskClient, id: str) -> None:
    headers = client.get(f"/embed/{id}").headers
    missing = client.get("/embed/none")
    assert missing.status_code == 404
    assert missing.headers["Content-Security-Policy"] == headers["Content-Security-Policy"]
    policy = headers["Content-Security-Policy"]
    assert "frame-ancestors" not in policy and "X-Frame-Options" not in headers
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    for other in (f"/c/{id}", f"/c/{id}/outline/export.0", "/", "/c/none", f"/api/captures/{id}"):
        headers = client.get(other).headers
        assert (headers["Content-Security-Policy"], headers["X-Frame-Options"]) == (
            f"{policy}; frame-ancestors 'none'",
            "DENY",
        )


def test_the_embedded_page_leads_to_the_whole_one(client: FlaskClient, id: str) -> None:
    page = client.get(f"/embed/{id}").text
    assert re.search(rf'<a id="whole"[^>]* href="/c/{id}" target="_blank" rel="noopener"', page)
    assert 'id="whole"' not in client.get(f"/c/{id}").text


def test_without_javascript_a_page_lists_stages_and_graphs(client: FlaskClient, id: str) -> None:
    page = client.get(f"/c/{id}").text
    found = re.search(r"<noscript>(.*)</noscript>", page, re.DOTALL)
    assert found is not None
    assert "Net, dynamo: failed. Unsupported: no" in found[1]
    assert "4 nodes" in found[1]
    for link in Tags(found[1]).links:
        assert client.get(link).status_code == 200


def test_an_outline_has_every_node_and_what_it_reads(client: FlaskClient, id: str) -> None:
    page = client.get(f"/c/{id}/outline/export.0")
    assert page.content_type == "text/html; charset=utf-8"
    tags = Tags(page.text)
    assert [each for each in tags.ids if each.startswith("n-")] != []
    assert {f"n-{node.name}" for node in WHOLE.nodes} == {each for each in tags.ids if each.startswith("n-")}
    assert tags.deepest == 2
    for link in tags.links:
        assert link[1:] in tags.ids if link.startswith("#") else client.get(link).status_code == 200
    assert "cos" in client.get(f"/c/{id}/outline/export.0%2Ftext").text
    assert client.get(f"/c/{id}/outline/none.0").status_code == 404


def test_an_outline_shows_hostile_names_as_they_are(client: FlaskClient, store: Store) -> None:
    evil = '"><script>alert(1)</script>'
    created = queued(store)
    assert store.claim() is not None
    store.targets_found(created.id, (TARGET,), STAGES)
    nodes = (msgspec.structs.replace(WHOLE.nodes[1], target=evil), *WHOLE.nodes[1:])
    graph = msgspec.structs.replace(WHOLE, nodes=(WHOLE.nodes[0], *nodes[1:]), title=evil)
    store.stage_ended(created.id, "t1", msgspec.structs.replace(EXPORT, graphs=(graph, BODY)))
    store.finish(created.id, "done", log_cut=0)
    for address in (f"/c/{created.id}/outline/export.0", f"/c/{created.id}", f"/embed/{created.id}"):
        assert "<script>alert" not in client.get(address).text


def test_dot_and_graphml(client: FlaskClient, id: str) -> None:
    base = f"/api/captures/{id}/graphs/export.0/export"
    dot = client.get(f"{base}/dot")
    assert dot.content_type == "text/vnd.graphviz; charset=utf-8"
    assert dot.text.startswith('digraph "export.0" {')
    graphml = client.get(f"{base}/graphml")
    assert graphml.content_type == "application/graphml+xml; charset=utf-8"
    assert list(nx.read_graphml(io.BytesIO(graphml.data)).nodes) == [node.name for node in WHOLE.nodes]
    assert graphml.headers["Content-Disposition"] == 'inline; filename="export.0.graphml"'
