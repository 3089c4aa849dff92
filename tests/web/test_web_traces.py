from __future__ import annotations

import msgspec
import pytest
from flask.testing import FlaskClient
from web_values import WHOLE, done, submission

from graphcap.analyses.links.places import Shelf
from graphcap.analyses.tracing.trace import follow, gradient_of
from graphcap.graph.document import Graph, Node, Origin, Output, Placeholder, Ref, Stage, Target
from graphcap.store.captures import Store


def sine(name: str, arg: int, tag: str, backward: bool) -> Node:
    origin = Origin(seq_nr=1, source_fn="sin: sin", partitioner_tag=tag, autograd_backward=backward)
    return Node(name, "call_function", f"aten.{name}.default", (Ref(arg),), origin=origin)


X = Node("primals_1", "placeholder", "primals_1", placeholder=Placeholder("input", "x"))
END = Node("output", "output", "output", (Ref(1),), returns=(Output("gradient", 1, "x"),))
FORWARD = Graph("forward.0", "Net", 0, (X, sine("sin", 0, "is_forward", False)))
BACKWARD = Graph("backward.0", "Net", 0, (X, sine("cos", 0, "is_backward", True), END))


@pytest.fixture
def base(store: Store) -> str:
    created = store.create(submission(stages=("forward", "backward")))
    assert store.claim() is not None
    store.targets_found(created.id, (Target("t1", "Net", "the variable"),), ("forward", "backward"))
    store.stage_ended(created.id, "t1", Stage("forward", "done", 1.0, graphs=(FORWARD,)))
    store.stage_ended(created.id, "t1", Stage("backward", "done", 1.0, graphs=(BACKWARD,)))
    store.finish(created.id, "done")
    return f"/api/captures/{created.id}/trace"


@pytest.fixture
def export(store: Store) -> str:
    return f"/api/captures/{done(store).id}/trace"


def plain(value: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_ancestors_descendants_and_paths(client: FlaskClient, export: str) -> None:
    url = f"{export}/export.0/sin"
    assert client.get(f"{url}?how=ancestors").get_json() == plain(follow(WHOLE, 1, "ancestors"))
    assert client.get(f"{url}?how=descendants").get_json() == plain(follow(WHOLE, 1, "descendants"))
    assert client.get(f"{url}?how=between&to=output").get_json() == plain(follow(WHOLE, 1, "between", 3))
    assert client.get(f"{export}/export.0%2Ftext/cos?how=ancestors").get_json()["found"] == [
        {"graph": "export.0/text", "nodes": [0, 1]}
    ]


def test_the_gradient_of_a_node(client: FlaskClient, base: str) -> None:
    graphs = {each.id: each for each in (FORWARD, BACKWARD)}
    expected = gradient_of(FORWARD, 1, BACKWARD, Shelf(graphs, graphs.__getitem__))
    body = client.get(f"{base}/forward.0/sin?how=gradient").get_json()
    assert body == plain(expected)
    assert (body["path"], body["starts"], body["gradients"]) == ("backward.0", [1], [{"name": "x", "node": 1}])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "`how` is missing"),
        ("?how=sideways", "'sideways'"),
        ("?how=between", "`to` is missing"),
    ],
)
def test_a_question_that_is_none_is_refused(client: FlaskClient, export: str, query: str, said: str) -> None:
    response = client.get(f"{export}/export.0/sin{query}")
    body = response.get_json(force=True)
    assert (response.status_code, body["code"]) == (400, "bad-request")
    assert said in body["detail"] and ("gradient" in body["hint"] or "to=NAME" in body["hint"])


@pytest.mark.parametrize("path", ["export.0/nobody?how=ancestors", "export.0/sin?how=between&to=nobody"])
def test_a_node_that_is_not_there_is_named(client: FlaskClient, export: str, path: str) -> None:
    response = client.get(f"{export}/{path}")
    assert response.status_code == 404
    assert "nobody" in response.get_json(force=True)["detail"]


def test_a_graph_that_nothing_differentiates(client: FlaskClient, export: str) -> None:
    response = client.get(f"{export}/export.0/sin?how=gradient")
    body = response.get_json(force=True)
    assert (response.status_code, body["title"]) == (404, "There is no backward")
