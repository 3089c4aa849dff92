"""A graph's exported program as a file: the bytes that were kept, and a problem where there are none."""

from __future__ import annotations

from flask.testing import FlaskClient
from web_values import DYNAMO, EXPORT, done, running

from graphcap.graph.stream import Added, SavedProgram
from graphcap.store.captures import Store

DATA = b"PK\x03\x04" + bytes(3000)


def test_the_program_of_a_graph_comes_as_it_was_kept(client: FlaskClient, store: Store) -> None:
    created = running(store)
    store.stage_ended(created.id, "t1", DYNAMO)
    store.stage_ended(created.id, "t1", EXPORT)
    store.stage_added(created.id, Added("t1", "export", programs=(SavedProgram("export.0", DATA),)))
    store.finish(created.id, "done")
    url = f"/api/captures/{created.id}/graphs/export.0/export/pt2"
    response = client.get(url)
    assert (response.status_code, response.data, response.content_type) == (200, DATA, "application/zip")
    assert response.headers["Content-Disposition"] == 'inline; filename="export.0.pt2"'
    assert client.get(url, headers={"If-None-Match": response.headers["ETag"]}).status_code == 304
    stages = client.get(f"/api/captures/{created.id}").get_json()["stages"]
    sizes = {graph["id"]: graph["program_bytes"] for stage in stages for graph in stage["graphs"]}
    assert sizes["export.0"] == len(DATA) and set(sizes.values()) == {0, len(DATA)}


def test_where_there_is_no_program_or_no_graph(client: FlaskClient, store: Store) -> None:
    id = done(store).id
    for path, title in (
        (f"{id}/graphs/export.0/export/pt2", "This graph is of no exported program"),
        (f"{id}/graphs/export.7/export/pt2", "There is no such graph"),
        ("none/graphs/export.0/export/pt2", "There is no such capture"),
    ):
        answer = client.get(f"/api/captures/{path}")
        assert (answer.status_code, answer.get_json()["title"]) == (404, title)
