from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from web_values import DYNAMO, EXPORT, STAGES, TARGET, done, queued, running

from graphcap.store.captures import Store
from graphcap.store.records import Created
from graphcap.web.api import events


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(events, "QUEUE_SECONDS", 0.001)


class Stream:
    """The events of a capture as a browser would get them."""

    def __init__(self, client: FlaskClient, created: Created) -> None:
        self.response = client.get(f"/api/captures/{created.id}/events")
        self.comments = 0
        self._events = self._read(iter(self.response.iter_encoded()))

    def _read(self, chunks: Iterator[bytes]) -> Iterator[tuple[str, Any]]:
        buffer = ""
        for chunk in chunks:
            *blocks, buffer = (buffer + chunk.decode()).split("\n\n")
            for block in blocks:
                fields = [line.partition(": ")[::2] for line in block.split("\n")]
                found = dict(fields)
                assert len(found) == len(fields)
                self.comments += "" in found
                if "event" in found:
                    yield found["event"], json.loads(found["data"])
        assert not buffer

    def next(self) -> tuple[str, Any]:
        return next(self._events)

    def rest(self) -> list[tuple[str, Any]]:
        return list(self._events)


def test_the_headers_of_a_stream(client: FlaskClient, store: Store) -> None:
    response = Stream(client, done(store)).response
    assert response.content_type == "text/event-stream; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in response.headers


def test_a_stream_of_an_ended_capture_tells_everything_and_ends(client: FlaskClient, store: Store) -> None:
    created = done(store)
    found = Stream(client, created).rest()
    assert [name for name, _ in found] == ["targets", "log", "status", "done"]
    told = dict(found)
    assert told["status"] == {"status": "done", "queue_position": None}
    assert told["targets"] == {"targets": client.get(f"/api/captures/{created.id}").get_json()["targets"]}
    assert told["log"] == {"text": "héllo\n"}
    assert told["done"] == {"status": "done"}


def test_a_capture_from_the_queue_to_its_end(client: FlaskClient, store: Store) -> None:
    created = queued(store)
    stream = Stream(client, created)
    assert stream.next() == ("status", {"status": "queued", "queue_position": 1})
    store.claim()
    assert stream.next() == ("status", {"status": "running", "queue_position": None})
    store.targets_found(created.id, (TARGET,), STAGES)
    name, data = stream.next()
    assert (name, [stage["status"] for stage in data["targets"][0]["stages"]]) == ("targets", ["queued", "queued"])
    store.append_log(created.id, "one\n")
    assert stream.next() == ("log", {"text": "one\n"})
    store.stage_started(created.id, "t1", "dynamo")
    name, data = stream.next()
    assert (name, data["target"], data["stage"]["id"], data["stage"]["status"]) == ("stage", "t1", "dynamo", "running")
    store.stage_ended(created.id, "t1", DYNAMO)
    store.append_log(created.id, "twö\n")
    name, data = stream.next()
    assert (name, data["stage"]["status"], data["stage"]["error"]["message"]) == ("stage", "failed", "no")
    assert stream.next() == ("log", {"text": "twö\n"})
    store.stage_ended(created.id, "t1", EXPORT)
    store.finish(created.id, "done")
    found = stream.rest()
    assert [name for name, _ in found] == ["stage", "status", "done"]
    assert [graph["id"] for graph in found[0][1]["stage"]["graphs"]] == ["export.0", "export.0/text"]
    assert found[2] == ("done", {"status": "done"})


def test_a_late_listener_begins_with_the_state_as_it_is(client: FlaskClient, store: Store) -> None:
    created = running(store)
    store.stage_ended(created.id, "t1", EXPORT)
    store.append_log(created.id, "before\n")
    stream = Stream(client, created)
    assert stream.next() == ("status", {"status": "running", "queue_position": None})
    name, data = stream.next()
    assert (name, [stage["status"] for stage in data["targets"][0]["stages"]]) == ("targets", ["queued", "done"])
    assert stream.next() == ("log", {"text": "before\n"})


def test_moving_up_in_the_queue_is_told(client: FlaskClient, store: Store) -> None:
    queued(store)
    stream = Stream(client, queued(store))
    assert stream.next() == ("status", {"status": "queued", "queue_position": 2})
    store.claim()
    assert stream.next() == ("status", {"status": "queued", "queue_position": 1})


@pytest.mark.parametrize("state", [queued, running])
def test_cancelling_ends_the_stream(client: FlaskClient, store: Store, state: Any) -> None:
    created = state(store)
    stream = Stream(client, created)
    stream.next()
    store.request_cancel(created.id)
    store.finish(created.id, "cancelled")
    assert stream.rest()[-1] == ("done", {"status": "cancelled"})


def test_deleting_ends_the_stream(client: FlaskClient, store: Store) -> None:
    created = running(store)
    stream = Stream(client, created)
    stream.next()
    store.delete(created.id)
    assert stream.rest()[-1] == ("done", {"status": "deleted"})


def test_a_second_run_of_a_capture_begins_a_new_stream(client: FlaskClient, store: Store) -> None:
    created = running(store)
    store.append_log(created.id, "of the first run\n")
    stream = Stream(client, created)
    assert [stream.next()[0] for _ in range(3)] == ["status", "targets", "log"]
    store.recover()
    store.claim()
    store.append_log(created.id, "of the second run\n")
    assert stream.rest() == []  # ends without `done`: a browser connects again
    again = Stream(client, created)
    assert [again.next() for _ in range(2)][1] == ("log", {"text": "of the second run\n"})


def test_comments_keep_a_silent_stream_awake(client: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.0)
    created = queued(store)
    stream = Stream(client, created)
    stream.next()
    store.request_cancel(created.id)
    assert stream.comments == 0
    chunks = list(events.follow(store, created.id))
    assert [chunk for chunk in chunks if chunk.startswith(":")] == []  # it ends before there is anything to keep awake
    waiting = events.follow(store, running(store).id)
    for _ in range(3):
        next(waiting)
    assert next(waiting) == ": still here\n\n"


def test_text_with_line_breaks_stays_one_event(client: FlaskClient, store: Store) -> None:
    created = running(store)
    text = "a\n\nevent: done\r\ndata: {}\u2028\n"
    store.append_log(created.id, text)
    store.finish(created.id, "done")
    assert ("log", {"text": text}) in Stream(client, created).rest()
