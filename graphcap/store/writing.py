"""What can happen to captures: functions of one connection, inside the caller's writing transaction."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from graphcap.graph.added import with_added
from graphcap.graph.document import Failure, Stage, StageId, StageStatus, Target
from graphcap.graph.stream import Added, Replayed, SavedProgram
from graphcap.intake.submission import Submission
from graphcap.store import packing, reading
from graphcap.store.counting import arrivals, tallies
from graphcap.store.records import CaptureStatus, Claimed, Rendered
from graphcap.store.tables import captures, files, graphs, rendered, stages, targets

_OF_A_RUN: tuple[Table, ...] = (rendered, graphs, stages, targets)
"""What a run leaves behind, and a second attempt starts without."""

CANCELLED = "the capture was cancelled"
"""Why the stages of a cancelled capture that had not ended were skipped."""


def create(connection: Connection, id: str, token_hash: str, submission: Submission) -> int:
    """A new queued capture without its files; its row number."""
    values = {
        "id": id,
        "token_hash": token_hash,
        "status": "queued",
        "kind": submission.kind,
        "entry": submission.entry,
        "sha256": submission.sha256,
        "options": packing.pack(submission.options),
        "created": time.time(),
    }
    number: int = connection.execute(insert(captures).values(values).returning(captures.c.number)).scalar_one()
    return number


def add_files(connection: Connection, number: int, submission: Submission) -> None:
    """The files of a new capture."""
    connection.execute(
        insert(files),
        [
            {"capture": number, "position": i, "name": file.name, "size": len(file.data), "data": file.data}
            for i, file in enumerate(submission.files)
        ],
    )


def touch(connection: Connection, id: str, status: CaptureStatus, /, **values: Any) -> int | None:
    """Counts a change and sets columns of a capture that has this status; its row number, or None if there is none."""
    return connection.execute(
        update(captures)
        .where(captures.c.id == id, captures.c.status == status)
        .values(revision=captures.c.revision + 1, **values)
        .returning(captures.c.number)
    ).scalar_one_or_none()


def claim(connection: Connection) -> Claimed | None:
    """The oldest queued capture, now running."""
    oldest = select(captures).where(captures.c.status == "queued").order_by(captures.c.number).limit(1)
    row = connection.execute(oldest.with_for_update(skip_locked=True)).one_or_none()
    if row is None:
        return None
    touch(connection, row.id, "queued", status="running", started=time.time(), attempts=row.attempts + 1)
    return Claimed(row.id, reading.submission(connection, row), row.attempts + 1, arrivals.was_local(connection, row.number))


def request_cancel(connection: Connection, id: str) -> bool:
    """Cancels a queued capture, or asks the runner to stop a running one."""
    if touch(connection, id, "queued", status="cancelled", cancel_requested=True, finished=time.time()) is not None:
        tallies.capture_ended(connection, "cancelled", "cancelled")
        return True
    return touch(connection, id, "running", cancel_requested=True) is not None


def add_targets(connection: Connection, number: int, found: Iterable[Target], ids: Iterable[StageId]) -> None:
    """Targets, each with those of the stages `ids` that it has queued."""
    ids = tuple(ids)
    before = connection.scalar(select(func.count()).select_from(targets).where(targets.c.capture == number)) or 0
    for position, target in enumerate(found, before):
        row = {"capture": number, "id": target.id, "position": position, "body": packing.target_body(target)}
        connection.execute(insert(targets).values(row))
        rows = [
            {
                **packing.stage_values(Stage(id=stage, status="queued")),
                "capture": number,
                "target": target.id,
                "id": stage,
                "position": i,
            }
            for i, stage in enumerate(target.stages_among(ids))
        ]
        if rows:
            connection.execute(insert(stages), rows)


def set_stage(connection: Connection, number: int, target: str, stage: str, values: dict[str, object]) -> None:
    """Replaces a stage; raises KeyError if the target was not announced with it."""
    where = (stages.c.capture == number, stages.c.target == target, stages.c.id == stage)
    if connection.execute(update(stages).where(*where).values(**values)).rowcount == 0:
        raise KeyError(f"{target} has no stage {stage}")


def add_graphs(connection: Connection, number: int, target: str, stage: str, rows: list[dict[str, object]]) -> None:
    """The graphs of a stage, in order, after those it has."""
    if rows:
        place = {"capture": number, "target": target, "stage": stage}
        there = (graphs.c.capture == number, graphs.c.target == target, graphs.c.stage == stage)
        first = connection.scalar(select(func.count()).select_from(graphs).where(*there)) or 0
        connection.execute(insert(graphs), [{**row, **place, "position": i} for i, row in enumerate(rows, first)])


def add_to_stage(connection: Connection, number: int, added: Added) -> None:
    """What is kept with a stage itself; raises KeyError if the target was not announced with it."""
    if added.notes or added.guards or added.recompiles:
        stage = reading.stage_detail(connection, number, added.target, added.stage)
        if stage is None:
            raise KeyError(f"{added.target} has no stage {added.stage}")
        set_stage(connection, number, added.target, added.stage, packing.stage_values(with_added(stage, added)))


def set_replays(connection: Connection, number: int, replays: Iterable[Replayed]) -> None:
    """What running graphs gave."""
    for each in replays:
        here = update(graphs).where(graphs.c.capture == number, graphs.c.gid == each.graph)
        connection.execute(here.values(replay=packing.pack(each.replay)))


def set_programs(connection: Connection, number: int, programs: Iterable[SavedProgram]) -> None:
    """The exported programs that graphs are of."""
    for each in programs:
        here = update(graphs).where(graphs.c.capture == number, graphs.c.gid == each.graph)
        connection.execute(here.values(program=each.data))


def append_log(connection: Connection, id: str, text: str) -> bool:
    """Adds to the log."""
    more = {"log": captures.c.log + text, "log_bytes": captures.c.log_bytes + len(text.encode())}
    return touch(connection, id, "running", **more) is not None


def keep_rendered(connection: Connection, number: int, key: str, version: str, answer: Rendered) -> None:
    """Caches an answer, replacing that of another version."""
    connection.execute(delete(rendered).where(rendered.c.capture == number, rendered.c.key == key))
    row = {"capture": number, "key": key, "version": version, "etag": answer.etag, "gzip": answer.gzip}
    connection.execute(insert(rendered).values(row))


def recover(connection: Connection, attempts: int) -> None:
    """Captures left running go back to the queue without what they had; or end, if cancelled or tried often enough."""
    columns = (captures.c.number, captures.c.id, captures.c.attempts, captures.c.cancel_requested)
    for row in connection.execute(select(*columns).where(captures.c.status == "running")).all():
        if row.cancel_requested:
            end_unfinished(connection, row.number, "skipped", CANCELLED, ())
            touch(connection, row.id, "running", status="cancelled", finished=time.time())
            tallies.capture_ended(connection, "cancelled", "cancelled")
        elif row.attempts >= attempts:
            abandon(connection, row.id, _interrupted(row.attempts))
        else:
            requeue(connection, row.id, row.attempts)


def requeue(connection: Connection, id: str, attempts: int) -> bool:
    """Puts a running capture back where it was in the queue, without what it had, as tried `attempts` times."""
    fresh: dict[str, Any] = {"started": None, "torch": "", "log": "", "log_bytes": 0, "log_cut": 0, "attempts": attempts}
    number = touch(connection, id, "running", status="queued", **fresh)
    if number is None:
        return False
    for table in _OF_A_RUN:
        connection.execute(delete(table).where(table.c.capture == number))
    return True


def abandon(connection: Connection, id: str, failure: Failure) -> bool:
    """Ends a running capture because of `failure`: done if it had a stage by then, else failed."""
    number = touch(connection, id, "running", finished=time.time())
    if number is None:
        return False
    if end_unfinished(connection, number, "failed", "", (failure,)):
        touch(connection, id, "running", status="done")
        tallies.capture_ended(connection, "done", failure.type)
    else:
        touch(connection, id, "running", status="failed", failures=packing.pack((failure,)))
        tallies.capture_ended(connection, "failed", failure.type)
    return True


def end_unfinished(
    connection: Connection, number: int, status: StageStatus, reason: str, failures: tuple[Failure, ...]
) -> int:
    """Ends every stage of a capture that still waits or runs; how many had ended by themselves."""
    had = 0
    for row in connection.execute(select(stages.c.target, stages.c.summary).where(stages.c.capture == number)).all():
        stage = packing.unpack(row.summary, Stage)
        if stage.status in ("queued", "running"):
            ended = Stage(id=stage.id, status=status, reason=reason, failures=failures)
            set_stage(connection, number, row.target, stage.id, packing.stage_values(ended))
            tallies.stage_ended(connection, ended)
        else:
            had += 1
    return had


def _interrupted(attempts: int) -> Failure:
    return Failure(
        type="interrupted",
        message=f"the server stopped {attempts} times while this capture ran, so it is not tried again",
        hints=("Submit it again. If it happens again, this model may need more memory than the machine has.",),
    )
