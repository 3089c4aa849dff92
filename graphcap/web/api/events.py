"""GET /api/captures/ID/events: what happens to a capture, as server-sent events, until it ends.

The stream asks the store for the capture's revision and sends what is new since it last looked. It begins with the state as
it is, so a page that comes late, or again, misses nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime

import msgspec
from flask import Blueprint, Response, request

from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary
from graphcap.web.admission.address import sender_of
from graphcap.web.api import answers
from graphcap.web.api.found import there
from graphcap.web.requests import connection_watch
from graphcap.web.services import services

blueprint = Blueprint("events", __name__)

POLL_SECONDS = 0.15
QUEUE_SECONDS = 1.0  # a place in the queue changes without a change of the capture itself
HEARTBEAT_SECONDS = 15.0
RETRY_MILLISECONDS = 1000

HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would collect events into blocks
}


@blueprint.get("/api/captures/<id>/events")
def events(id: str) -> Response:
    """Follows one capture. The thread that serves it is busy until the capture ends or the client goes."""
    store, stopping = services().store, services().stopping
    there(store.revision(id), id)
    sender = sender_of(request.environ, services().settings)
    closed = connection_watch(request.environ)
    told = follow(store, id, lambda: closed() or stopping())
    return Response(services().streams.hold(sender, told), content_type="text/event-stream; charset=utf-8", headers=HEADERS)


def follow(store: Store, id: str, left: Callable[[], bool] = lambda: False) -> Iterator[str]:
    """The events of a capture, ending with `done`, or without it once the listener has `left` or the server stops."""
    seen = _Seen()
    revision: int | None = -1
    looked, sent = 0.0, time.monotonic()
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    while not left():
        now = time.monotonic()
        current = store.revision(id)
        if current != revision or (seen.queued and now - looked >= QUEUE_SECONDS):
            revision, looked = current, now
            summary = store.summary(id)
            if summary is not None and seen.other_run(summary):
                return  # the client asks again by itself, and begins anew
            for text in list(seen.news(store, summary)):  # all of one moment, however slowly the client takes it
                sent = now
                yield text
            if summary is None or summary.ended:
                return
        if now - sent >= HEARTBEAT_SECONDS:
            sent = now
            yield ": still here\n\n"
        time.sleep(POLL_SECONDS)


def event(name: str, data: object) -> str:
    """One event; JSON has no line breaks of its own."""
    return f"event: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n"


class _Seen:
    """What a stream has told so far."""

    def __init__(self) -> None:
        self._status: tuple[str, int | None] | None = None
        self._targets: dict[str, answers.Target] = {}
        self._log_characters = 0
        self._started: datetime | None = None

    @property
    def queued(self) -> bool:
        return self._status is not None and self._status[0] == "queued"

    def other_run(self, summary: CaptureSummary) -> bool:
        """True if the capture went back to the queue (the server it ran on stopped), so that what was told is void."""
        before, self._started = self._started, summary.started
        return before is not None and before != summary.started

    def news(self, store: Store, summary: CaptureSummary | None) -> Iterator[str]:
        """Events that bring a listener from what was told to `summary`; None: the capture is gone."""
        if summary is None:
            yield event("done", {"status": "deleted"})
            return
        if not summary.ended:
            yield from self._status_news(summary)
        yield from self._target_news(tuple(answers.target(each) for each in summary.targets))
        log = store.log(summary.id, self._log_characters)
        if log is not None and log.text:
            self._log_characters += len(log.text)
            yield event("log", {"text": log.text})
        if summary.ended:  # after the last stage: whoever hears of the end has heard everything
            yield from self._status_news(summary)
            yield event("done", {"status": summary.status})

    def _status_news(self, summary: CaptureSummary) -> Iterator[str]:
        status = (summary.status, summary.queue_position)
        if status != self._status:
            self._status = status
            yield event("status", {"status": summary.status, "queue_position": summary.queue_position})

    def _target_news(self, targets: tuple[answers.Target, ...]) -> Iterator[str]:
        known = self._targets
        self._targets = {target.id: target for target in targets}
        if list(self._targets) != list(known):
            yield event("targets", {"targets": targets})
            return
        for target in targets:
            before = {stage.id: stage for stage in known[target.id].stages}
            for stage in target.stages:
                if stage != before.get(stage.id):
                    yield event("stage", {"target": target.id, "stage": stage})
