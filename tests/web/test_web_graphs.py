from __future__ import annotations

import msgspec
import networkx as nx
import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_values import BODY, EXPORT, STAGES, TARGET, WHOLE, done, queued
from werkzeug.test import EnvironBuilder

from graphcap.analyses.columns import columns
from graphcap.analyses.details import details
from graphcap.store.captures import Store


@pytest.fixture
def base(store: Store) -> str:
    return f"/api/captures/{done(store).id}/graphs"


def test_columns(client: FlaskClient, base: str) -> None:
    assert client.get(f"{base}/export.0").get_json() == msgspec.json.decode(msgspec.json.encode(columns(WHOLE)))


def test_a_node(client: FlaskClient, base: str) -> None:
    for i, node in enumerate(WHOLE.nodes):
        expected = msgspec.json.decode(msgspec.json.encode(details(WHOLE, i)))
        assert client.get(f"{base}/export.0/nodes/{node.name}").get_json() == expected


def test_text(client: FlaskClient, base: str) -> None:
    assert client.get(f"{base}/export.0/text").get_json() == {
        "text": WHOLE.text,
        "lines": [-1, 0, 3],
        "readable": WHOLE.readable,
        "readable_lines": [-1, -1],
        "code": "",
    }


def test_the_txt_export_is_what_print_prints(client: FlaskClient, base: str, capsys: pytest.CaptureFixture[str]) -> None:
    print(WHOLE.text)  # noqa: T201
    response = client.get(f"{base}/export.0/export/txt")
    assert response.text == capsys.readouterr().out
    assert response.content_type == "text/plain; charset=utf-8"
    assert response.headers["Content-Disposition"] == 'inline; filename="export.0.txt"'


def test_networkx_reads_the_json_export(client: FlaskClient, base: str) -> None:
    graph = nx.node_link_graph(client.get(f"{base}/export.0/export/json").get_json(), edges="edges")
    assert list(graph.nodes) == ["x", "sin", "cond", "output"]
    assert list(graph.edges()) == [("x", "sin"), ("sin", "cond"), ("cond", "output")]
    assert graph.nodes["sin"]["target"] == "aten.sin.default"


@pytest.mark.parametrize("gid", ["export.0%2Ftext", "export.0%2ftext"])
@pytest.mark.parametrize("rest", ["", "/nodes/cos", "/text", "/export/txt", "/export/json"])
def test_an_encoded_slash_belongs_to_the_gid(client: FlaskClient, base: str, gid: str, rest: str) -> None:
    response = client.get(f"{base}/{gid}{rest}")
    assert response.status_code == 200
    assert {
        "": lambda: response.get_json()["id"] == BODY.id,
        "/nodes/cos": lambda: response.get_json()["target"] == "aten.cos.default",
        "/text": lambda: response.get_json()["text"] == BODY.text,
        "/export/txt": lambda: response.text == BODY.text + "\n",
        "/export/json": lambda: response.get_json()["graph"]["id"] == BODY.id,
    }[rest]()


def test_a_plain_slash_works_where_it_is_clear(client: FlaskClient, base: str) -> None:
    assert client.get(f"{base}/export.0/text/nodes/cos").get_json()["name"] == "cos"
    assert client.get(f"{base}/export.0/text/text").get_json()["text"] == BODY.text
    assert client.get(f"{base}/export.0/text/export/txt").text == BODY.text + "\n"
    assert client.get(f"{base}/export.0/text").get_json()["text"] == WHOLE.text


@pytest.mark.parametrize("raw", [None, "http://localhost{path}", "{path}?a=%2F"])
def test_servers_tell_the_address_in_several_forms(app: Flask, base: str, raw: str | None) -> None:
    path = f"{base}/export.0%2Ftext/nodes/cos"
    environ = EnvironBuilder(path).get_environ()
    environ["RAW_URI"] = environ["REQUEST_URI"] = raw.format(path=path) if raw else ""
    assert app.test_client().open(environ).get_json()["name"] == "cos"


def test_a_graph_with_a_slash_is_saved_under_a_plain_name(client: FlaskClient, base: str) -> None:
    response = client.get(f"{base}/export.0%2Ftext/export/txt")
    assert response.headers["Content-Disposition"] == 'inline; filename="export.0_text.txt"'


def test_a_capture_that_runs_again_shows_its_new_graphs(client: FlaskClient, store: Store) -> None:
    """A restart puts a running capture back into the queue; nothing kept of its first run may show."""
    created = queued(store)
    url = f"/api/captures/{created.id}/graphs/export.0"
    seen = []
    for name in ("first", "second"):
        assert store.claim() is not None
        store.targets_found(created.id, (TARGET,), STAGES)
        nodes = (msgspec.structs.replace(WHOLE.nodes[0], name=name), *WHOLE.nodes[1:])
        store.stage_ended(
            created.id, "t1", msgspec.structs.replace(EXPORT, graphs=(msgspec.structs.replace(WHOLE, nodes=nodes), BODY))
        )
        seen.append((client.get(url).get_json()["nodes"]["name"][0], client.get(f"{url}/nodes/{name}").status_code))
        store.recover()
    assert seen == [("first", 200), ("second", 200)]
