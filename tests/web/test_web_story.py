from __future__ import annotations

import msgspec
import pytest
from flask.testing import FlaskClient
from web_values import BREAK, CODE, DYNAMO, FRAME, FULL_FRAME, TARGET, WHOLE, submission

from graphcap.graph.document import FailedGuard, Graph, Guard, Node, Recompile, Stage, Target
from graphcap.graph.stream import Added
from graphcap.store.captures import Store

SIN = Node("sin", "call_method", "sin", stack=0)
FRAGMENTS = (
    Graph("dynamo.0", "fragment 1 of 2", 0, (SIN,), frames=(FRAME,), stacks=((0,),)),
    Graph("dynamo.1", "fragment 2 of 2", 1, (SIN,), frames=(FRAME,), stacks=((0,),)),
)
STAGE = msgspec.structs.replace(DYNAMO, status="done", failures=(), graphs=FRAGMENTS)


def captured(store: Store, *stages: tuple[str, Stage], ended: bool = True) -> str:
    created = store.create(submission())
    store.claim()
    store.targets_found(created.id, (TARGET, Target("t2", "Other", "another")), ("dynamo", "export"))
    for target, stage in stages:
        store.stage_ended(created.id, target, stage)
    if ended:
        store.finish(created.id, "done")
    return created.id


def test_the_story_of_a_target(client: FlaskClient, store: Store) -> None:
    id = captured(store, ("t1", STAGE))
    response = client.get(f"/api/captures/{id}/story")
    found = response.get_json()
    assert (found["target"], found["title"], found["status"]) == ("t1", "Net", "done")
    assert [step["step"] for step in found["steps"]] == ["fragment", "python", "fragment"]
    first, between, _ = found["steps"]
    assert first["drawn"] == [{"stage": "dynamo", "graph": "dynamo.0", "nodes": 1}]
    assert first["first"] == [{"node": "sin", "label": "sin", "kind": "pointwise"}]
    assert first["parts"][0]["lines"] == [{"line": 2, "text": CODE.split("\n")[1], "nodes": 1, "mark": ""}]
    assert (first["guards"], first["fixed"]) == (1, 0)
    (stop,) = between["stops"]
    assert (stop["number"], stop["reason"], stop["frames"]) == (0, BREAK.reason, [FULL_FRAME])
    again = client.get(f"/api/captures/{id}/story?target=t1", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("stage", "said"), [(Stage("dynamo", "skipped", reason="it saw nothing"), "it saw nothing"), (None, "")]
)
def test_a_story_without_a_fragment(client: FlaskClient, store: Store, stage: Stage | None, said: str) -> None:
    id = captured(store, *((("t1", stage),) if stage else ()))
    found = client.get(f"/api/captures/{id}/story").get_json()
    assert (found["steps"], found["reason"]) == ([], said)


def test_a_stage_that_was_not_asked_for(client: FlaskClient, store: Store) -> None:
    created = store.create(submission(stages=("export",)))
    store.claim()
    store.targets_found(created.id, (TARGET,), ("export",))
    store.stage_ended(created.id, "t1", Stage("export", "done", graphs=(WHOLE,)))
    found = client.get(f"/api/captures/{created.id}/story").get_json()
    assert (found["status"], found["reason"]) == ("skipped", "the stage dynamo was not asked for")


def test_what_comes_later_is_told(client: FlaskClient, store: Store) -> None:
    id = captured(store, ("t1", STAGE), ended=False)
    assert client.get(f"/api/captures/{id}/story").get_json()["steps"][0]["recompiles"] == []
    anew = msgspec.structs.replace(FRAGMENTS[0], id="dynamo.0.r1", recompile=1)
    failed = Recompile(0, 1, "0/0: size mismatch", (FailedGuard("size mismatch", 0),))
    store.stage_added(id, Added("t1", "dynamo", (anew,), recompiles=(failed,)))
    (recompiled,) = client.get(f"/api/captures/{id}/story").get_json()["steps"][0]["recompiles"]
    assert (recompiled["graph"], recompiled["reason"]) == ("dynamo.0.r1", "0/0: size mismatch")
    assert recompiled["failed"][0]["source"] == "L['x']"
    tree = client.get(f"/api/captures/{id}/guards/dynamo.0").get_json()
    assert tree["checks"][0]["failed"] == ["size mismatch"]


def test_another_target_has_its_own_story(client: FlaskClient, store: Store) -> None:
    id = captured(store, ("t1", STAGE))
    found = client.get(f"/api/captures/{id}/story?target=t2").get_json()
    assert (found["title"], found["steps"]) == ("Other", [])
    response = client.get(f"/api/captures/{id}/story?target=t3")
    assert response.status_code == 404 and "'t3'" in response.get_json(force=True)["detail"]


def test_no_target_yet(client: FlaskClient, store: Store) -> None:
    response = client.get(f"/api/captures/{store.create(submission()).id}/story")
    assert response.status_code == 404 and response.get_json(force=True)["detail"] == "This capture has no target yet."
    assert client.get("/api/captures/nothing/story").status_code == 404


def test_the_guards_of_a_graph(client: FlaskClient, store: Store) -> None:
    guards = (*DYNAMO.guards, Guard(1, "CONSTANT_MATCH", "L['n']", ("L['n'] == 3",), FRAME))
    id = captured(store, ("t1", msgspec.structs.replace(STAGE, guards=guards)))
    response = client.get(f"/api/captures/{id}/guards/dynamo.1")
    found = response.get_json()
    assert (found["graph"], found["fixed"], found["failed"]) == ("dynamo.1", 1, 0)
    assert found["places"] == [{"parent": -1, "text": "L['n']", "source": "L['n']", "checks": 1, "fixed": 1, "failed": 0}]
    (check,) = found["checks"]
    assert (check["says"], check["fixes"], check["frame"]) == ("== 3", "value", FULL_FRAME)
    url = f"/api/captures/{id}/guards/dynamo.1"
    assert client.get(url, headers={"If-None-Match": response.headers["ETag"]}).status_code == 304
    assert [each["says"] for each in client.get(f"/api/captures/{id}/guards/dynamo.0").get_json()["checks"]] == [
        "check_tensor(…)"
    ]


def test_only_what_dynamo_captured_is_guarded(client: FlaskClient, store: Store) -> None:
    id = captured(store, ("t1", STAGE), ("t1", Stage("export", "done", graphs=(msgspec.structs.replace(WHOLE, nodes=()),))))
    problem = client.get(f"/api/captures/{id}/guards/export.0").get_json(force=True)
    assert (problem["status"], problem["title"]) == (404, "This graph has no guards")
    missing = client.get(f"/api/captures/{id}/guards/dynamo.7").get_json(force=True)
    assert (missing["status"], missing["title"]) == (404, "There is no such graph")
