"""What can be asked about captures: functions of one connection, inside the caller's transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, case, func, select

from graphcap.graph.document import Stage, Target
from graphcap.graph.notebooks.cells import JOINED, cells_of
from graphcap.intake.submission import Submission, SubmittedFile
from graphcap.store import packing
from graphcap.store.records import (
    HELD,
    CaptureSummary,
    CaptureTitle,
    FileSummary,
    GraphSummary,
    Log,
    QueueCounts,
    Rendered,
    StageSummary,
    TargetSummary,
)
from graphcap.store.tables import captures, files, graphs, rendered, stages, targets

AnyRow = Row[*tuple[Any, ...]]

CONTENT = func.coalesce(captures.c.shared, captures.c.number)
"""The number under which the files, targets, stages, graphs and answers of a capture lie: its own, or the one it shares."""

_SUMMARY = [*(column for column in captures.c if column.name not in ("log", "token_hash")), CONTENT.label("content")]


def content_number(connection: Connection, id: str) -> int | None:
    """Where the content of a capture lies."""
    number: int | None = connection.scalar(select(CONTENT).where(captures.c.id == id))
    return number


def summary(connection: Connection, id: str) -> CaptureSummary | None:
    """A capture with its targets, their stages and the sizes of their graphs."""
    row = connection.execute(select(*_SUMMARY).where(captures.c.id == id)).one_or_none()
    if row is None:
        return None
    return CaptureSummary(
        id=row.id,
        status=row.status,
        queue_position=_queue_position(connection, row) if row.status == "queued" else None,
        created=packing.present_time(row.created),
        started=packing.time_of(row.started),
        finished=packing.time_of(row.finished),
        kind=row.kind,
        entry=row.entry,
        files=_files(connection, row.content),
        options=packing.options_of(row.options),
        sha256=row.sha256,
        torch=row.torch,
        failures=packing.failures_of(row.failures),
        log_bytes=row.log_bytes,
        log_cut=row.log_cut,
        cancel_requested=row.cancel_requested,
        revision=row.revision,
        targets=_targets(connection, row.content),
    )


def _files(connection: Connection, number: int) -> tuple[FileSummary, ...]:
    """Names and sizes; of the code of notebooks, the text is read for its cells."""
    joined = files.c.name.endswith(JOINED, autoescape=True)
    columns = (files.c.name, files.c.size, case((joined, files.c.data)).label("data"))
    rows = connection.execute(select(*columns).where(files.c.capture == number).order_by(files.c.position))
    return tuple(
        FileSummary(row.name, row.size, cells_of(row.name, (row.data or b"").decode("utf-8", "replace"))) for row in rows
    )


def _queue_position(connection: Connection, row: AnyRow) -> int:
    waiting = select(func.count()).where(captures.c.status == "queued", captures.c.number <= row.number)
    return connection.scalar(waiting) or 1


def _targets(connection: Connection, number: int) -> tuple[TargetSummary, ...]:
    by_target = _stages_by_target(connection, number)
    rows = connection.execute(select(targets.c.body).where(targets.c.capture == number).order_by(targets.c.position))
    found = (packing.unpack(row.body, Target) for row in rows)
    return tuple(TargetSummary(t.id, t.title, t.rule, t.frame, tuple(by_target[t.id]), t.compilations) for t in found)


def _stages_by_target(connection: Connection, number: int) -> dict[str, list[StageSummary]]:
    sizes: dict[tuple[str, str], list[GraphSummary]] = defaultdict(list)
    wanted = [column for column in graphs.c if column.name not in ("capture", "body", "program")]
    saved = func.coalesce(func.length(graphs.c.program), 0).label("program_bytes")
    for g in connection.execute(select(*wanted, saved).where(graphs.c.capture == number).order_by(graphs.c.position)):
        sizes[g.target, g.stage].append(_graph_summary(g))
    found: dict[str, list[StageSummary]] = defaultdict(list)
    columns = (stages.c.target, stages.c.id, stages.c.summary, stages.c.breaks, stages.c.guards)
    for s in connection.execute(select(*columns).where(stages.c.capture == number).order_by(stages.c.position)):
        found[s.target].append(packing.stage_summary(s.summary, s.breaks, s.guards, tuple(sizes[s.target, s.id])))
    return found


def _graph_summary(row: AnyRow) -> GraphSummary:
    return GraphSummary(
        id=row.gid,
        title=row.title.decode(),
        fragment=row.fragment,
        nodes=row.nodes,
        edges=row.edges,
        inference=row.inference,
        parent=row.parent,
        variant=row.variant,
        recompile=row.recompile,
        replay=packing.replay_of(row.replay),
        program_bytes=row.program_bytes,
    )


def titles(connection: Connection, ids: Iterable[str]) -> tuple[CaptureTitle, ...]:
    """The captures among `ids`, in that order."""
    wanted = list(dict.fromkeys(ids))
    first = captures.outerjoin(targets, (targets.c.capture == CONTENT) & (targets.c.position == 0))
    columns = (captures.c.id, captures.c.status, captures.c.entry, captures.c.created, targets.c.body)
    rows = {row.id: row for row in connection.execute(select(*columns).select_from(first).where(captures.c.id.in_(wanted)))}
    return tuple(_title(rows[id]) for id in wanted if id in rows)


def _title(row: AnyRow) -> CaptureTitle:
    name = row.entry if row.body is None else packing.unpack(row.body, Target).title
    return CaptureTitle(row.id, row.status, name, packing.present_time(row.created))


def revision(connection: Connection, id: str) -> int | None:
    """The counter of changes."""
    return connection.scalar(select(captures.c.revision).where(captures.c.id == id))


def run(connection: Connection, id: str) -> AnyRow | None:
    """Which run a capture shows: where its content lies, and when the run started, which no other run of it shares."""
    return connection.execute(select(CONTENT.label("content"), captures.c.started).where(captures.c.id == id)).one_or_none()


def submitted_files(connection: Connection, number: int) -> tuple[SubmittedFile, ...]:
    """The files of a capture, in the order submitted."""
    rows = connection.execute(select(files.c.name, files.c.data).where(files.c.capture == number).order_by(files.c.position))
    return tuple(SubmittedFile(row.name, row.data) for row in rows)


def submission(connection: Connection, row: AnyRow) -> Submission:
    """What was submitted, from a whole row of `captures`."""
    found = submitted_files(connection, row.number)
    return Submission(found, row.kind, row.entry, packing.options_of(row.options), row.sha256)


def log(connection: Connection, id: str, start: int) -> Log | None:
    """The log from character `start` on."""
    start = max(0, start)
    columns = (func.substr(captures.c.log, start + 1).label("text"), captures.c.log_cut)
    row = connection.execute(select(*columns).where(captures.c.id == id)).one_or_none()
    return None if row is None else Log(row.text, start, row.log_cut)


def graph_columns(connection: Connection, id: str, gid: str) -> tuple[bytes, bytes | None] | None:
    """One graph whole, and its replay, as packed."""
    found = graphs.join(captures, graphs.c.capture == CONTENT)
    columns = select(graphs.c.body, graphs.c.replay).select_from(found)
    row = connection.execute(columns.where(captures.c.id == id, graphs.c.gid == gid)).one_or_none()
    return None if row is None else (row.body, row.replay)


def program(connection: Connection, id: str, gid: str) -> bytes | None:
    """The exported program of one graph."""
    found = graphs.join(captures, graphs.c.capture == CONTENT)
    columns = select(graphs.c.program).select_from(found)
    data: bytes | None = connection.scalar(columns.where(captures.c.id == id, graphs.c.gid == gid))
    return data


def stage_detail(connection: Connection, number: int, target: str, stage: str) -> Stage | None:
    """One stage without graphs."""
    place = (stages.c.capture == number, stages.c.target == target, stages.c.id == stage)
    detail = connection.scalar(select(stages.c.detail).where(*place))
    return None if detail is None else packing.unsqueeze(detail, Stage)


def stage_details(connection: Connection, number: int) -> tuple[tuple[str, Stage], ...]:
    """(target, stage without graphs), targets in order, stages in order."""
    found = stages.join(targets, (targets.c.capture == stages.c.capture) & (targets.c.id == stages.c.target))
    rows = connection.execute(
        select(stages.c.target, stages.c.detail)
        .select_from(found)
        .where(stages.c.capture == number)
        .order_by(targets.c.position, stages.c.position)
    )
    return tuple((row.target, packing.unsqueeze(row.detail, Stage)) for row in rows)


def rendered_answer(connection: Connection, id: str, key: str, version: str) -> Rendered | None:
    """A cached answer of this serializer version."""
    found = rendered.join(captures, rendered.c.capture == CONTENT)
    row = connection.execute(
        select(rendered.c.gzip, rendered.c.etag)
        .select_from(found)
        .where(captures.c.id == id, rendered.c.key == key, rendered.c.version == version)
    ).one_or_none()
    return None if row is None else Rendered(row.gzip, row.etag)


def token_hash(connection: Connection, id: str) -> str | None:
    """The hash of the delete token."""
    return connection.scalar(select(captures.c.token_hash).where(captures.c.id == id))


def queue_counts(connection: Connection) -> QueueCounts:
    """Captures waiting and running."""
    rows = connection.execute(
        select(captures.c.status, func.count().label("n"))
        .where(captures.c.status.in_(("queued", "running")))
        .group_by(captures.c.status)
    )
    count = {row.status: row.n for row in rows}
    return QueueCounts(count.get("queued", 0), count.get("running", 0))


def counts(connection: Connection) -> dict[str, int]:
    """Captures by status."""
    rows = connection.execute(select(captures.c.status, func.count().label("n")).group_by(captures.c.status))
    return {row.status: row.n for row in rows if row.status != HELD}


def stop_wanted(connection: Connection, id: str) -> bool:
    """True unless the capture is there, running, and nobody cancelled it."""
    columns = (captures.c.status, captures.c.cancel_requested)
    row = connection.execute(select(*columns).where(captures.c.id == id)).one_or_none()
    return row is None or row.status != "running" or bool(row.cancel_requested)
