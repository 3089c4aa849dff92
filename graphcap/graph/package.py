"""A finished capture as a file, `NAME.graphcap`: gzip of JSON, the document with what stands beside it.

It is for people to keep and send, so whoever reads one takes nothing in it on trust: see `unpack` and `messages`.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator

import msgspec

from graphcap.graph.codec import DocumentError, decode_versioned, encode
from graphcap.graph.document import SCHEMA, GraphDocument, Stage, Target, Value
from graphcap.graph.stream import Added, Bye, Ended, Found, Hello, Kind, Message, Nothing, Replayed, SavedProgram

MAGIC = b"\x1f\x8b"
LEVEL = 6


class CaptureFile(Value, frozen=True, omit_defaults=True):
    """A document, the kind of its first file, seconds the capture took, and exported programs without weights."""

    schema: str
    kind: Kind
    document: GraphDocument
    seconds: float = 0.0
    programs: tuple[SavedProgram, ...] = ()


def pack(capture: CaptureFile) -> bytes:
    """The bytes of the file; the same for the same capture."""
    return gzip.compress(encode(capture), LEVEL, mtime=0)


def unpack(data: bytes, most: int) -> CaptureFile:
    """The capture in a file, of at most `most` bytes once unpacked. Raises DocumentError."""
    text = _inflated(data, most) if data.startswith(MAGIC) else data
    if len(text) > most:
        raise DocumentError(f"it has more than {most:,} bytes")
    if not text.lstrip().startswith(b"{"):
        raise DocumentError("it is no capture of graphcap")
    try:
        return decode_versioned(text, CaptureFile)
    except DocumentError as error:
        raise DocumentError(f"it is no capture of graphcap: {error}") from None


def _inflated(data: bytes, most: int) -> bytes:
    unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        text = unzip.decompress(data, most + 1)
    except zlib.error as error:
        raise DocumentError(f"it is damaged: {error}") from None
    if len(text) > most:
        raise DocumentError(f"unpacked it has more than {most:,} bytes")
    if not unzip.eof:
        raise DocumentError("it is cut off: its end is missing")
    return text


def messages(capture: CaptureFile) -> Iterator[Message]:
    """What a capture process would have said to come to this: so that it can be checked as what one says."""
    document = capture.document
    yield Hello(document.torch)
    if document.targets:
        yield Found(tuple(msgspec.structs.replace(target, stages=()) for target in document.targets))
    else:
        yield Nothing(document.failures)
    programs = {program.graph: program for program in capture.programs}
    if len(programs) < len(capture.programs):
        raise DocumentError("two programs are of one graph")
    for target in document.targets:
        for stage in target.stages:
            yield from _stage(target, stage, programs)
    if programs:
        raise DocumentError(f"a program is of {next(iter(programs))[:80]!r}, which is no graph of it")
    yield Bye()


def _stage(target: Target, stage: Stage, programs: dict[str, SavedProgram]) -> Iterator[Message]:
    """Takes the programs of its graphs out of `programs`."""
    bare = tuple(msgspec.structs.replace(graph, replay=None) for graph in stage.graphs)
    yield Ended(target.id, msgspec.structs.replace(stage, graphs=bare))
    replays = tuple(Replayed(graph.id, graph.replay) for graph in stage.graphs if graph.replay is not None)
    saved = tuple(programs.pop(graph.id) for graph in stage.graphs if graph.id in programs)
    if replays or saved:
        yield Added(target.id, stage.id, replays=replays, programs=saved)


def capture_file(kind: Kind, document: GraphDocument, seconds: float, programs: Iterable[SavedProgram]) -> CaptureFile:
    """The file of a capture made here and now."""
    return CaptureFile(SCHEMA, kind, document, round(seconds, 3), tuple(programs))
