"""Captures that come finished: all their rows in one transaction, so that no runner ever sees one that is to be run."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping

from sqlalchemy import Connection, update

from graphcap.graph.document import Failure, Stage
from graphcap.graph.stream import Added, Ended, Found, Hello, Message
from graphcap.intake.submission import Submission
from graphcap.store import packing, writing
from graphcap.store.tables import captures, files


@dataclasses.dataclass(frozen=True)
class Uploaded:
    """A finished capture, checked. `sizes` are those of its files as they were; `missing` are stages that it has not."""

    submission: Submission
    sizes: tuple[int, ...]
    messages: tuple[Message, ...]
    missing: tuple[tuple[str, Stage], ...]
    failures: tuple[Failure, ...]
    log: str
    log_cut: int
    seconds: float


Rows = Mapping[int, list[dict[str, object]]]


def packed(uploaded: Uploaded) -> Rows:
    """The rows of its graphs by the place of their message, compressed before the transaction: others can write then."""
    return {
        place: [packing.graph_values(graph) for graph in message.stage.graphs]
        for place, message in enumerate(uploaded.messages)
        if isinstance(message, Ended)
    }


def keep(connection: Connection, id: str, token_hash: str, uploaded: Uploaded, rows: Rows) -> int:
    """The capture, ended; its row number."""
    number = writing.create(connection, id, token_hash, uploaded.submission)
    writing.add_files(connection, number, uploaded.submission)
    for position, size in enumerate(uploaded.sizes):
        here = (files.c.capture == number, files.c.position == position)
        connection.execute(update(files).where(*here).values(size=size))
    torch = ""
    for place, message in enumerate(uploaded.messages):
        if isinstance(message, Hello):
            torch = packing.plain_text(message.torch)
        elif isinstance(message, Found):
            writing.add_targets(connection, number, message.targets, uploaded.submission.options.stages)
        elif isinstance(message, Ended):
            writing.set_stage(connection, number, message.target, message.stage.id, packing.stage_values(message.stage))
            writing.add_graphs(connection, number, message.target, message.stage.id, rows[place])
        elif isinstance(message, Added):
            writing.set_replays(connection, number, message.replays)
            writing.set_programs(connection, number, message.programs)
    for target, stage in uploaded.missing:
        writing.set_stage(connection, number, target, stage.id, packing.stage_values(stage))
    _end(connection, number, torch, uploaded)
    return number


def _end(connection: Connection, number: int, torch: str, uploaded: Uploaded) -> None:
    log, now = packing.plain_text(uploaded.log), time.time()
    connection.execute(
        update(captures)
        .where(captures.c.number == number)
        .values(
            status="failed" if uploaded.failures else "done",
            started=now - uploaded.seconds,
            finished=now,
            torch=torch,
            failures=packing.pack(uploaded.failures),
            log=log,
            log_bytes=len(log.encode(errors="replace")),
            log_cut=uploaded.log_cut,
        )
    )
