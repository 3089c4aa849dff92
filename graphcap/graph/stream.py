"""What a capture process sends while it runs: length-prefixed JSON messages on one descriptor, in this order:

    Hello, Target*, then for every route of every target (Started, Ended)*, Added* ..., and Bye.

A frame is a 4-byte big-endian length and that many bytes of JSON. The stream may end anywhere (the process may have been
killed): what came whole counts. Stages never announced as ended are failed by the reader, with the outcome of the run.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Literal

import msgspec

from graphcap.graph.check import MAX_NODES
from graphcap.graph.codec import DocumentError
from graphcap.graph.document import (
    Failure,
    Graph,
    Guard,
    Options,
    Recompile,
    Replay,
    Stage,
    StageId,
    Target,
    Value,
)

Kind = Literal["py", "ipynb", "pt2", "torchscript", "pickle", "weights", "log"]
"""What the entry is: Python code, a notebook, an archive of `torch.export.save`, of `torch.jit.save`, a pickled module,
numbers under names (which have no graph), or a log of `TORCH_TRACE`."""

PREFIX = struct.Struct(">I")


class Request(Value, frozen=True, omit_defaults=True):
    """What the capture process is asked to do: the file `entry` in its work folder, found to be of `kind`."""

    entry: str
    kind: Kind
    options: Options
    memory_bytes: int  # allowed above the process's own size once torch is imported
    route_seconds: float  # wall clock of one route of one target
    message_bytes: int = 64 << 20  # largest message that is read; a stage beyond it is sent smaller, or as failed
    routes_at_once: int = 3  # routes that run side by side, each a process that may take a core
    nodes: int = MAX_NODES  # of one stage; a stage with more is sent as failed
    guessed: dict[str, str] = msgspec.field(default_factory=dict)  # for hints: inputs by name, as far as the code tells them
    programs_to: str = ""  # a folder that gets exported programs with their weights: of one's own machine, never of a server


class Hello(Value, frozen=True, tag="hello", tag_field="m"):
    """First: the torch that runs."""

    torch: str


class Found(Value, frozen=True, tag="found", tag_field="m"):
    """Targets found, without stages."""

    targets: tuple[Target, ...]


class Nothing(Value, frozen=True, tag="nothing", tag_field="m"):
    """Nothing could be captured: the exception of the person's code, or what was looked for and which lines to add."""

    failures: tuple[Failure, ...]


class Started(Value, frozen=True, tag="started", tag_field="m"):
    """A stage is being worked on."""

    target: str
    stage: StageId


class Ended(Value, frozen=True, tag="ended", tag_field="m"):
    """A stage is done, failed or skipped."""

    target: str
    stage: Stage


class Replayed(Value, frozen=True, omit_defaults=True):
    """What running one graph of a stage gave."""

    graph: str  # GID
    replay: Replay


class SavedProgram(Value, frozen=True):
    """The exported program that a graph is of, as `torch.export.save` writes it, without the values of its weights."""

    graph: str  # GID
    data: bytes


class Added(Value, frozen=True, omit_defaults=True, tag="added", tag_field="m"):
    """What was found out once a stage had ended, and others need not wait for. It adds to the stage, and changes nothing."""

    target: str
    stage: StageId
    graphs: tuple[Graph, ...] = ()
    replays: tuple[Replayed, ...] = ()  # of graphs sent before; each graph once
    notes: tuple[str, ...] = ()
    guards: tuple[Guard, ...] = ()
    recompiles: tuple[Recompile, ...] = ()
    programs: tuple[SavedProgram, ...] = ()  # of graphs sent before; each graph once


class Bye(Value, frozen=True, tag="bye", tag_field="m"):
    """Last: everything asked for was tried."""


Message = Hello | Found | Nothing | Started | Ended | Added | Bye

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


def frame(message: Message) -> bytes:
    """The bytes to write for one message."""
    body = _encoder.encode(message)
    return PREFIX.pack(len(body)) + body


def decode(body: bytes) -> Message:
    """One message without its length; raises DocumentError."""
    try:
        return _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"the capture process sent something unreadable: {error}") from None


class Unframer:
    """Cuts a byte stream into message bodies; refuses a frame over `max_message_bytes` as soon as its length is read."""

    def __init__(self, max_message_bytes: int) -> None:
        self._max = max_message_bytes
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The bodies completed by `data`."""
        self._buffer += data
        while len(self._buffer) >= PREFIX.size:
            (length,) = PREFIX.unpack_from(self._buffer)
            if length > self._max:
                raise DocumentError(f"the capture process sent a message of {length} bytes; the limit is {self._max}")
            if len(self._buffer) < PREFIX.size + length:
                return
            body = bytes(self._buffer[PREFIX.size : PREFIX.size + length])
            del self._buffer[: PREFIX.size + length]
            yield body
