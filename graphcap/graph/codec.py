"""Bytes to document and back: JSON by msgspec, which validates every field while it decodes.

Refusals are `DocumentError`: not JSON, not this shape, or a newer major version.
"""

from __future__ import annotations

import re

import msgspec

from graphcap.graph.document import SCHEMA, Graph, GraphDocument, Stage


class DocumentError(ValueError):
    """The bytes are no document we can read; the message is safe to show."""


class _Head(msgspec.Struct):
    schema: str


_encoder = msgspec.json.Encoder()
_document = msgspec.json.Decoder(GraphDocument)
_stage = msgspec.json.Decoder(Stage)
_graph = msgspec.json.Decoder(Graph)
_head = msgspec.json.Decoder(_Head)


def encode(value: msgspec.Struct) -> bytes:
    """Any value of the document as JSON bytes."""
    return _encoder.encode(value)


def decode_document(data: bytes) -> GraphDocument:
    """A whole document; a newer major version is refused by name before its fields are looked at."""
    try:
        require_version(_head.decode(data).schema)
        return _document.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"not a graphcap document: {error}") from None


def decode_stage(data: bytes) -> Stage:
    """One stage."""
    try:
        return _stage.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"not a stage: {error}") from None


def decode_graph(data: bytes) -> Graph:
    """One graph."""
    try:
        return _graph.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"not a graph: {error}") from None


def require_version(schema: str) -> None:
    """Refuses anything but a schema of our own major version."""
    match = re.fullmatch(r"graphcap/(\d+)", schema)
    if match is None:
        raise DocumentError(f"not a graphcap document: schema is {schema[:40]!r}, expected {SCHEMA!r}")
    if int(match[1]) != int(SCHEMA.split("/")[1]):
        raise DocumentError(
            f"this document has schema {schema[:40]}; this server reads {SCHEMA}. Upgrade graphcap to open it."
        )
