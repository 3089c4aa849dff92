"""Values of the document to the bytes of a column and back."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from graphcap.graph.document import Failure, Graph, Options, Replay, Stage, Target
from graphcap.graph.edges import edges
from graphcap.store.records import GraphSummary, Rendered, StageSummary

LEVEL = 6  # 10 MiB of graph JSON shrinks to a fiftieth in 0.1 s; higher levels gain a tenth for three times the time

_T = TypeVar("_T")


def pack(value: object) -> bytes:
    """Small values, as JSON."""
    return msgspec.json.encode(value)


def unpack(data: bytes, type: type[_T]) -> _T:
    """The value `pack` was given."""
    return msgspec.json.decode(data, type=type)


def squeeze(value: msgspec.Struct) -> bytes:
    """Large values, as compressed JSON."""
    return zlib.compress(msgspec.json.encode(value), LEVEL)


def unsqueeze(data: bytes, type: type[_T]) -> _T:
    """The value `squeeze` was given."""
    return unsqueeze_sized(data, type)[0]


def unsqueeze_sized(data: bytes, type: type[_T]) -> tuple[_T, int]:
    """The same with the length of its JSON in bytes."""
    content = zlib.decompress(data)
    return msgspec.json.decode(content, type=type), len(content)


def stage_values(stage: Stage) -> dict[str, object]:
    """The columns of one stage."""
    bare = msgspec.structs.replace(stage, graphs=())
    summary = msgspec.structs.replace(bare, breaks=(), guards=(), recompiles=())
    return {
        "breaks": len(stage.breaks),
        "guards": len(stage.guards),
        "summary": pack(summary),
        "detail": squeeze(bare),
    }


def stage_summary(summary: bytes, breaks: int, guards: int, graphs: tuple[GraphSummary, ...]) -> StageSummary:
    """A stage from its columns and its graphs."""
    stage = unpack(summary, Stage)
    return StageSummary(
        id=stage.id,
        status=stage.status,
        seconds=stage.seconds,
        reason=stage.reason,
        notes=stage.notes,
        failures=stage.failures,
        breaks=breaks,
        guards=guards,
        graphs=graphs,
        symbols=stage.symbols,
        constraints=stage.constraints,
    )


def graph_values(graph: Graph) -> dict[str, object]:
    """The columns of one graph."""
    return {
        "gid": graph.id,
        "fragment": graph.fragment,
        "title": graph.title.encode(),
        "nodes": len(graph.nodes),
        "edges": len(edges(graph)),
        "inference": graph.inference,
        "parent": graph.parent,
        "variant": graph.variant,
        "recompile": graph.recompile,
        "replay": None if graph.replay is None else pack(graph.replay),
        "body": squeeze(msgspec.structs.replace(graph, replay=None)),
    }


def replay_of(data: bytes | None) -> Replay | None:
    """The replay of a graph, where there is one."""
    return None if data is None else unpack(data, Replay)


def graph_of(body: bytes, replay: bytes | None) -> tuple[Graph, int]:
    """A graph from its columns, and the length of its JSON in bytes."""
    graph, size = unsqueeze_sized(body, Graph)
    return msgspec.structs.replace(graph, replay=replay_of(replay)), size


def target_body(target: Target) -> bytes:
    """A target's column: stages have rows of their own."""
    return pack(msgspec.structs.replace(target, stages=()))


def render(content: bytes, version: str) -> Rendered:
    """An answer ready to send. The ETag changes with the content and with the serializer version."""
    digest = hashlib.sha256(version.encode() + b"\0" + content).hexdigest()
    return Rendered(gzip.compress(content, LEVEL, mtime=0), digest[:32])


def plain_text(text: str) -> str:
    """Text without NUL, which PostgreSQL refuses; it is shown as its picture."""
    return text.replace("\0", "\u2400")


def present_time(seconds: float) -> datetime:
    """Seconds since 1970 as a time in UTC."""
    return datetime.fromtimestamp(seconds, UTC)


def time_of(seconds: float | None) -> datetime | None:
    """The same for a time that may not have come."""
    return None if seconds is None else present_time(seconds)


def options_of(data: bytes) -> Options:
    """The options of a capture."""
    return unpack(data, Options)


def failures_of(data: bytes) -> tuple[Failure, ...]:
    """The failures of a capture."""
    return unpack(data, tuple[Failure, ...])
