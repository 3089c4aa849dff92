from __future__ import annotations

from flask.testing import FlaskClient
from web_values import F32, TARGET, submission

from graphcap.graph.document import Graph, Node, Output, Placeholder, Ref, Seq, Stage, StageId
from graphcap.store.captures import Store

STAGES: tuple[StageId, ...] = ("forward", "backward")


def output(*returns: Output) -> Node:
    return Node("output", "output", "output", (Seq("tuple", tuple(Ref(r.node or 0) for r in returns)),), returns=returns)


def forward(gid: str = "forward.0", saved: int = 1, variant: str = "") -> Graph:
    nodes = (
        Node("x", "placeholder", "x", value=F32, placeholder=Placeholder("input", "x")),
        Node("sin", "call_function", "aten.sin.default", (Ref(0),), value=F32),
        output(Output("user_output", 1), Output("saved", saved)),
    )
    return Graph(gid, "Net", 0, nodes, variant=variant)


def backward(gid: str = "backward.0", saved: str = "sin", variant: str = "") -> Graph:
    nodes = (
        Node(saved, "placeholder", saved, value=F32, placeholder=Placeholder("saved", saved)),
        Node("neg", "call_function", "aten.neg.default", (Ref(0),), value=F32),
        output(Output("gradient", 1, "x")),
    )
    return Graph(gid, "Net", 0, nodes, variant=variant)


def captured(store: Store, *stages: Stage) -> str:
    created = store.create(submission(stages=STAGES))
    store.claim()
    store.torch_known(created.id, "2.13.0+cpu")
    store.targets_found(created.id, (TARGET,), STAGES)
    for stage in stages:
        store.stage_ended(created.id, "t1", stage)
    return created.id


def test_a_forward_with_its_backward(client: FlaskClient, store: Store) -> None:
    id = captured(store, Stage("forward", "done", graphs=(forward(),)), Stage("backward", "done", graphs=(backward(),)))
    response = client.get(f"/api/captures/{id}/mirror/forward.0")
    assert response.status_code == 200
    found = response.get_json()
    assert [(each["name"], each["bytes"]) for each in found["cut"]["saved"]] == [("sin", 16)]
    assert found["cut"]["gradients"] == [{"name": "x", "node": 1}]
    assert (found["other"], found["difference"]) == (None, [])
    again = client.get(f"/api/captures/{id}/mirror/forward.0", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


def test_a_variant_that_comes_later_is_compared(client: FlaskClient, store: Store) -> None:
    id = captured(store, Stage("backward", "done", graphs=(backward(), backward("backward.0.default", "x", "default"))))
    store.stage_ended(id, "t1", Stage("forward", "done", graphs=(forward(), forward("forward.0.default", 0, "default"))))
    found = client.get(f"/api/captures/{id}/mirror/forward.0").get_json()
    assert (found["cut"]["partitioner"], found["other"]["partitioner"]) == ("min_cut", "default")
    assert [(each["name"], each["here"], each["there"]) for each in found["difference"]] == [("sin", 0, -1), ("x", -1, 0)]
    turned = client.get(f"/api/captures/{id}/mirror/forward.0.default").get_json()
    assert (turned["cut"]["partitioner"], turned["other"]["forward"]) == ("default", "forward.0")


def test_without_a_backward_the_reason_is_said(client: FlaskClient, store: Store) -> None:
    reason = "nothing requires grad, so there is no backward"
    id = captured(store, Stage("forward", "done", graphs=(forward(),)), Stage("backward", "skipped", reason=reason))
    response = client.get(f"/api/captures/{id}/mirror/forward.0")
    assert (response.status_code, response.get_json()["title"]) == (404, "There is no backward")
    assert response.get_json()["detail"] == reason


def test_only_forward_graphs_have_a_mirror(client: FlaskClient, store: Store) -> None:
    id = captured(store, Stage("forward", "done", graphs=(forward(),)), Stage("backward", "done", graphs=(backward(),)))
    assert client.get(f"/api/captures/{id}/mirror/backward.0").get_json()["hint"].startswith("Ask for a forward graph")
    assert client.get(f"/api/captures/{id}/mirror/forward.7").get_json()["title"] == "There is no such graph"
    assert client.get("/api/captures/nothing/mirror/forward.0").get_json()["title"] == "There is no such capture"
