from __future__ import annotations

import msgspec
import pytest
from flask.testing import FlaskClient
from web_values import BODY, TARGET, WHOLE, submission

from graphcap.analyses.links.linked import linked
from graphcap.analyses.links.places import Shelf
from graphcap.analyses.surface.surface import surface
from graphcap.graph.document import Graph, Node, Origin, Source, Stage, Target
from graphcap.store.captures import Store
from graphcap.web.api.joined import links

SIN = Node("sin", "call_function", "aten.sin.default", origin=Origin((Source("sin", graph_id=1),)), tags=("core",))
CORE = Graph("core_aten.0", "Net", 0, (WHOLE.nodes[0], SIN))
CORE_BODY = msgspec.structs.replace(BODY, id="core_aten.0/text", parent="core_aten.0")
GRAPHS = {graph.id: graph for graph in (WHOLE, BODY, CORE, CORE_BODY)}
SHELF = Shelf(GRAPHS, GRAPHS.__getitem__)


def plain(value: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value))


def capture(store: Store, *, ended: bool) -> str:
    """A capture of two targets."""
    created = store.create(submission(stages=("export", "core_aten")))
    assert store.claim() is not None
    store.targets_found(created.id, (TARGET, Target("t2", "Other", "the second call")), ("export", "core_aten"))
    store.stage_ended(created.id, "t1", Stage("export", "done", 1.0, graphs=(WHOLE, BODY)))
    store.stage_ended(created.id, "t1", Stage("core_aten", "done", 1.0, graphs=(CORE, CORE_BODY)))
    second = msgspec.structs.replace(CORE, id="t2.core_aten.0")
    store.stage_ended(created.id, "t2", Stage("core_aten", "done", 1.0, graphs=(second,)))
    if ended:
        store.finish(created.id, "done")
    return created.id


@pytest.fixture
def base(store: Store) -> str:
    return f"/api/captures/{capture(store, ended=True)}"


@pytest.mark.parametrize("a", GRAPHS)
@pytest.mark.parametrize("b", GRAPHS)
@pytest.mark.parametrize("slash", ["/", "%2F", "%2f"])
def test_links_of_every_two_graphs(client: FlaskClient, base: str, a: str, b: str, slash: str) -> None:
    url = f"{base}/links/{a.replace('/', slash)}/{b.replace('/', slash)}"
    assert client.get(url).get_json() == plain(linked(a, b, SHELF))


def test_an_exact_link(client: FlaskClient, base: str) -> None:
    body = client.get(f"{base}/links/export.0/core_aten.0").get_json()
    assert body["exact"] == [[0, 0, "name"], [1, 1, "from_node"]]


def test_graphs_of_two_targets_are_refused(client: FlaskClient, base: str) -> None:
    response = client.get(f"{base}/links/export.0/t2.core_aten.0")
    body = response.get_json(force=True)
    assert (response.status_code, body["code"]) == (400, "bad-request")
    assert "t2.core_aten.0" in body["detail"]


@pytest.mark.parametrize(("path", "named"), [("joint.0/export.0", "joint.0"), ("export.0/joint.0", "joint.0")])
def test_the_graph_that_is_not_there_is_named(client: FlaskClient, base: str, path: str, named: str) -> None:
    response = client.get(f"{base}/links/{path}")
    body = response.get_json(force=True)
    assert (response.status_code, body["code"]) == (404, "not-found")
    assert named in body["detail"] and "core_aten.0/text" in body["hint"]


def test_operators(client: FlaskClient, base: str) -> None:
    targets = client.get(f"{base}/operators").get_json()["targets"]
    assert targets[0] == plain(surface(["t1"], SHELF).targets[0])
    assert [target["id"] for target in targets] == ["t1", "t2"]
    assert [stage["id"] for stage in targets[0]["stages"]] == ["export", "core_aten"]


@pytest.mark.parametrize("path", ["links/export.0/core_aten.0", "operators"])
def test_large_answers_are_kept_once_the_capture_has_ended(
    client: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(links, "WORTH_KEEPING", 0)
    still, ended = (f"/api/captures/{capture(store, ended=each)}/{path}" for each in (False, True))
    first = {url: client.get(url).get_json() for url in (still, ended)}

    def fail(*_: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(links, "linked", fail)
    monkeypatch.setattr(links.surface, "surface", fail)
    assert client.get(ended).get_json() == first[ended] == first[still]
    assert client.get(still).status_code == 500


@pytest.mark.parametrize("path", ["links/export.0/core_aten.0", "operators"])
def test_answers_have_etags(client: FlaskClient, base: str, path: str) -> None:
    first = client.get(f"{base}/{path}")
    again = client.get(f"{base}/{path}", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code) == (200, 304)


def test_a_small_answer_is_made_again(client: FlaskClient, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"{base}/links/export.0/core_aten.0"
    before = client.get(url).get_json()
    monkeypatch.setattr(links, "linked", lambda a, b, shelf: msgspec.structs.replace(linked(a, b, shelf), cut=7))
    assert client.get(url).get_json() == {**before, "cut": 7}
