from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from web_values import CODE, DYNAMO, EXPORT, FULL_FRAME, done, queued, running, submission

from graphcap.graph.document import FailedGuard, Failure, Graph, Guard, Node, Options, Recompile, Replay
from graphcap.graph.stream import Added, Replayed
from graphcap.intake.submission import Submission, SubmittedFile
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.store.records import Created
from graphcap.web import create_app


def bearer(created: Created) -> dict[str, str]:
    return {"Authorization": f"Bearer {created.delete_token}"}


FAILURE = {"type": "Unsupported", "message": "no", "how": "", "frame": FULL_FRAME, "hints": ["try this"], "trace": "trace"}
FAILED = {
    "id": "dynamo",
    "status": "failed",
    "seconds": 2.5,
    "reason": "",
    "notes": [],
    "error": FAILURE,
    "failures": [FAILURE],
    "breaks": 1,
    "guards": 1,
    "graphs": [],
    "symbols": [],
    "constraints": [],
}
HEAD = {"title": "Net", "fragment": 0, "inference": False, "variant": "", "recompile": 0, "replay": None, "program_bytes": 0}
EXPORTED = {
    "id": "export",
    "status": "done",
    "seconds": 1.5,
    "reason": "",
    "notes": ["a note"],
    "error": None,
    "failures": [],
    "breaks": 0,
    "guards": 0,
    "graphs": [
        {**HEAD, "id": "export.0", "nodes": 4, "edges": 3, "parent": ""},
        {**HEAD, "id": "export.0/text", "title": "text", "nodes": 2, "edges": 1, "parent": "export.0"},
    ],
    "symbols": [],
    "constraints": [],
}


def test_a_capture_whole(client: FlaskClient, store: Store) -> None:
    created = done(store)
    body: dict[str, Any] = client.get(f"/api/captures/{created.id}").get_json()
    assert body.pop("created").endswith("Z")
    assert body.pop("seconds") >= 0
    assert body == {
        "id": created.id,
        "status": "done",
        "queue_position": None,
        "source": {"files": [{"name": "model.py", "size": len(CODE.encode()), "cells": []}], "kind": "py"},
        "options": {
            "mode": "as_written",
            "decompositions": "none",
            "partitioner": "min_cut",
            "meta": False,
            "inputs": "",
            "second_inputs": "",
            "stages": ["dynamo", "export"],
            "rerun": False,
            "entry": "",
            "construct": "",
            "parameter_statistics": False,
        },
        "torch": "2.13.0+cpu",
        "failures": [],
        "log_bytes": len("héllo\n".encode()),
        "stages": [FAILED, EXPORTED],
        "targets": [
            {"id": "t1", "title": "Net", "rule": "the variable `model`", "frame": FULL_FRAME, "stages": [FAILED, EXPORTED]}
        ],
    }


def test_a_queued_capture_tells_its_place_and_what_is_to_come(client: FlaskClient, store: Store) -> None:
    queued(store)
    body = client.get(f"/api/captures/{queued(store).id}").get_json()
    assert (body["status"], body["queue_position"], body["seconds"], body["targets"]) == ("queued", 2, None, [])
    assert [(stage["id"], stage["status"]) for stage in body["stages"]] == [("dynamo", "queued"), ("export", "queued")]


def test_a_capture_of_nothing_says_why(client: FlaskClient, store: Store) -> None:
    created = queued(store)
    store.claim()
    store.finish(created.id, "failed", (Failure("SyntaxError", "invalid syntax"),))
    body = client.get(f"/api/captures/{created.id}").get_json()
    assert (body["status"], body["stages"], body["targets"]) == ("failed", [], [])
    empty = {"how": "", "frame": None, "hints": [], "trace": ""}
    assert body["failures"] == [{"type": "SyntaxError", "message": "invalid syntax", **empty}]


def test_source(client: FlaskClient, store: Store) -> None:
    size = len(CODE.encode())
    assert client.get(f"/api/captures/{done(store).id}/source").get_json() == {
        "files": [{"name": "model.py", "size": size, "text": CODE, "cells": []}]
    }


def test_the_source_of_a_binary_file_has_no_text(client: FlaskClient, store: Store) -> None:
    created = store.create(submission("net.pt2", b"PK\x03\x04\xff"))
    assert client.get(f"/api/captures/{created.id}/source").get_json() == {
        "files": [{"name": "net.pt2", "size": 5, "text": None, "cells": []}]
    }


def test_the_code_of_a_notebook_has_its_cells(client: FlaskClient, store: Store) -> None:
    code = b"# %% cell 1\nimport torch\n\n# %% cell 3\nx = 1\n"
    sent = Submission(
        (SubmittedFile("n.ipynb", b"{}"), SubmittedFile("n.ipynb.py", code)), "ipynb", "n.ipynb", Options(), "0" * 64
    )
    base = f"/api/captures/{store.create(sent).id}"
    cells = [{"number": 1, "line": 1}, {"number": 3, "line": 4}]
    for files in (client.get(base).get_json()["source"]["files"], client.get(f"{base}/source").get_json()["files"]):
        assert [(file["name"], file["cells"]) for file in files] == [("n.ipynb", []), ("n.ipynb.py", cells)]


def test_log_breaks_and_guards(client: FlaskClient, store: Store) -> None:
    base = f"/api/captures/{done(store).id}"
    assert client.get(f"{base}/log").get_json() == {"text": "héllo\n", "cut": 7}
    assert client.get(f"{base}/breaks").get_json() == {
        "breaks": [
            {
                "target": "t1",
                "stage": "dynamo",
                "reason": "print",
                "explanation": "Dynamo does not trace print.",
                "hints": ["Remove it."],
                "kind": "Unsupported",
                "frames": [FULL_FRAME],
                "before": 0,
                "after": 1,
                "text": "whole text",
            }
        ]
    }
    assert client.get(f"{base}/guards").get_json() == {
        "guards": [
            {
                "target": "t1",
                "fragment": 0,
                "recompile": 0,
                "kind": "TENSOR_MATCH",
                "source": "L['x']",
                "code": ["check_tensor(L['x'])"],
                "frame": FULL_FRAME,
                "failed": [],
            }
        ],
        "recompiles": [],
    }


def test_what_comes_for_a_stage_once_it_has_ended(client: FlaskClient, store: Store) -> None:
    created = running(store)
    for ended in (DYNAMO, EXPORT):
        store.stage_ended(created.id, "t1", ended)
    replay = Replay("compared", outputs=1, max_abs=0.0, max_rel=0.0, close=True, worst="output 0")
    anew = Graph("dynamo.0.r1", "Net", 0, (Node("x", "placeholder", "x"),), recompile=1)
    recompile = Recompile(0, 1, "0/0: tensor 'x' size mismatch", (FailedGuard("tensor 'x' size mismatch", 0),))
    guard = Guard(0, "TENSOR_MATCH", "L['x']", recompile=1)
    store.stage_added(created.id, Added("t1", "export", replays=(Replayed("export.0", replay),)))
    store.stage_added(created.id, Added("t1", "dynamo", (anew,), guards=(guard,), recompiles=(recompile,), notes=("n",)))
    body = client.get(f"/api/captures/{created.id}").get_json()
    dynamo, export = (next(each for each in body["stages"] if each["id"] == id) for id in ("dynamo", "export"))
    assert [head["replay"] for head in export["graphs"]] == [{**msgspec.structs.asdict(replay)}, None]
    assert [(head["id"], head["recompile"], head["variant"]) for head in dynamo["graphs"]] == [("dynamo.0.r1", 1, "")]
    assert (dynamo["notes"], dynamo["guards"]) == (["n"], 2)
    found = client.get(f"/api/captures/{created.id}/guards").get_json()
    assert [(each["recompile"], each["failed"]) for each in found["guards"]] == [(0, ["tensor 'x' size mismatch"]), (1, [])]
    assert found["recompiles"] == [
        {"target": "t1", "fragment": 0, "recompile": 1, "reason": recompile.reason, "failed": ["tensor 'x' size mismatch"]}
    ]
    whole = store.graph(created.id, "export.0")
    assert whole is not None and whole.replay == replay


def test_a_list_by_id_in_the_order_asked_for(client: FlaskClient, store: Store) -> None:
    first, second = done(store), queued(store)
    found = client.get(f"/api/captures?ids={second.id},gone,{first.id}").get_json()["captures"]
    assert [(each["id"], each["status"], each["title"]) for each in found] == [
        (second.id, "queued", "model.py"),
        (first.id, "done", "Net"),
    ]
    assert all(sorted(each) == ["created", "id", "status", "title"] for each in found)
    assert client.get("/api/captures?ids=").get_json() == {"captures": []}


def test_a_queued_capture_is_cancelled_at_once(client: FlaskClient, store: Store) -> None:
    created = queued(store)
    response = client.post(f"/api/captures/{created.id}/cancel", headers=bearer(created))
    assert (response.status_code, response.get_json()) == (202, {"id": created.id, "status": "cancelled"})


def test_a_running_capture_is_asked_to_stop(client: FlaskClient, store: Store) -> None:
    created = running(store)
    response = client.post(f"/api/captures/{created.id}/cancel", headers=bearer(created))
    assert (response.status_code, response.get_json()) == (202, {"id": created.id, "status": "running"})
    assert store.wants_stop(created.id)


def test_an_ended_capture_can_not_be_cancelled(client: FlaskClient, store: Store) -> None:
    created = done(store)
    response = client.post(f"/api/captures/{created.id}/cancel", headers=bearer(created))
    assert (response.status_code, response.get_json(force=True)["code"]) == (409, "conflict")


@pytest.mark.parametrize("state", [queued, running, done])
def test_deleting_takes_everything_away(client: FlaskClient, store: Store, state: Any) -> None:
    created = state(store)
    base = f"/api/captures/{created.id}"
    urls = [base, f"/c/{created.id}", f"{base}/log", f"{base}/graphs/export.0", f"{base}/graphs/export.0/nodes/sin"]
    for url in urls[3:]:
        client.get(url)  # whatever is kept must go too
    response = client.delete(base, headers=bearer(created))
    assert (response.status_code, response.data) == (204, b"")
    assert [client.get(url).status_code for url in urls] == [404] * len(urls)
    assert client.delete(base, headers=bearer(created)).status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 204),
        ({"Origin": "http://localhost"}, 204),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://behind.a.proxy"}, 204),
        ({"Sec-Fetch-Site": "none"}, 204),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_pages_of_other_sites_may_change_nothing(
    client: FlaskClient, store: Store, headers: dict[str, str], status: int
) -> None:
    created = done(store)
    assert client.delete(f"/api/captures/{created.id}", headers={**bearer(created), **headers}).status_code == status


@pytest.mark.parametrize(
    ("bound", "hosts", "host", "status"),
    [
        ("127.0.0.1", "", "localhost:8000", 202),
        ("127.0.0.1", "", "graphcap.localhost", 202),
        ("127.0.0.1", "", "127.0.0.1:8000", 202),
        ("::1", "", "[::1]:8000", 202),
        ("127.0.0.1", "", "evil.example:8000", 403),
        ("127.0.0.1", "", "localhost.evil.example", 403),
        ("::1", "", "evil.example", 403),
        ("localhost", "", "evil.example", 403),
        ("::ffff:127.0.0.1", "", "evil.example", 403),
        ("127.0.0.1", "", "[half", 403),
        ("127.0.0.1", "a.example, Graphs.example", "graphs.example", 202),
        ("127.0.0.1", "graphs.example", "evil.example", 403),
        ("0.0.0.0", "", "my-server:8000", 202),
        ("0.0.0.0", "graphs.example", "evil.example", 403),
        ("0.0.0.0", "graphs.example", "10.0.0.7:8000", 202),
    ],
)
def test_a_strangers_name_for_this_machine_is_no_way_in(
    tmp_path: Path, bound: str, hosts: str, host: str, status: int
) -> None:
    """DNS rebinding: the browser takes the stranger's page for one of this server's own."""
    client = create_app(Settings(data_dir=tmp_path, hosts=hosts), with_runner=False).test_client()
    response = client.post(
        "/api/captures",
        json={"code": CODE},
        headers={"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"},
        environ_overrides={"SERVER_NAME": bound},
    )
    assert response.status_code == status
    if status == 403:
        assert "GRAPHCAP_HOSTS" in response.get_json(force=True)["hint"]
