"""Bytes to document and back: JSON by msgspec, which validates every field while it decodes.

Refusals are `DocumentError`: not JSON, not this shape, or a newer major version.
"""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from graphcap.graph.document import SCHEMA


class DocumentError(ValueError):
    """The bytes are no document we can read; the message is safe to show."""


class _Head(msgspec.Struct):
    schema: str


T = TypeVar("T")

_encoder = msgspec.json.Encoder()


def encode(value: msgspec.Struct) -> bytes:
    """Any value of the document as JSON bytes."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[T]) -> T:
    """A value of one of the document's types; raises DocumentError where the bytes are none."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"not a {kind.__name__}: {error}") from None


def decode_versioned(data: bytes, kind: type[T]) -> T:
    """A value that names its schema; a newer major version is refused by name before its fields are looked at."""
    _require_version(decode(data, _Head).schema)
    return decode(data, kind)


def _require_version(schema: str) -> None:
    match = re.fullmatch(r"graphcap/(\d+)", schema)
    if match is None:
        raise DocumentError(f"not a graphcap document: schema is {schema[:40]!r}, expected {SCHEMA!r}")
    if int(match[1]) != int(SCHEMA.split("/")[1]):
        raise DocumentError(
            f"this document has schema {schema[:40]}; this server reads {SCHEMA}. Upgrade graphcap to open it."
        )
