"""What server and zygote say to each other: one message a packet, JSON, with descriptors passed beside it.

The zygote never reads what the descriptors carry: uploads go from the server to the job, results from the job to the server.
"""

from __future__ import annotations

import array
import socket
from typing import NamedTuple

import msgspec

from graphcap.sandbox.outcome import Limits

PACKET_BYTES = 32768  # a refused tier gives its reason in a line


class Descriptors(NamedTuple):
    """Those of a job, in the order they are passed. `leash`: the job is stopped when the server's end closes."""

    input: int
    result: int
    log: int
    status: int
    leash: int


class Start(msgspec.Struct, frozen=True, tag="start"):
    """Run a job; comes with `Descriptors`. `folder`: where it works, unless it has a file system of its own."""

    job: int
    folder: str
    limits: Limits


class Kill(msgspec.Struct, frozen=True, tag="kill"):
    """A supervisor did not end its job: kill the supervisor, and the job dies with it."""

    job: int


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Are you there?"""

    number: int


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """First: warm, in jail, and waiting. `gives`: what the tier gives, in words; `refused`: (stronger tier, why)."""

    pid: int
    tier: str
    gives: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """Instead of Ready: why not."""

    error: str


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """I am."""

    number: int


ToZygote = Start | Kill | Ping
ToServer = Ready | Failed | Pong

_encoder = msgspec.json.Encoder()
_to_zygote: msgspec.json.Decoder[ToZygote] = msgspec.json.Decoder(ToZygote)
_to_server: msgspec.json.Decoder[ToServer] = msgspec.json.Decoder(ToServer)


def send(channel: socket.socket, message: ToZygote | ToServer, descriptors: tuple[int, ...] = ()) -> None:
    """One packet. Raises OSError when the other side is gone, BlockingIOError when it has not read for long."""
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
    channel.sendmsg([_encoder.encode(message)], ancillary, socket.MSG_NOSIGNAL | socket.MSG_DONTWAIT)


def from_zygote(channel: socket.socket) -> ToServer | None:
    """The next message; None at the end. Raises msgspec.MsgspecError for what is none."""
    data = channel.recv(PACKET_BYTES)
    return _to_server.decode(data) if data else None


def from_server(channel: socket.socket) -> tuple[ToZygote, list[int]] | None:
    """The next message and its descriptors, which are closed on exec; None at the end."""
    data, descriptors, _, _ = socket.recv_fds(channel, PACKET_BYTES, len(Descriptors._fields), socket.MSG_CMSG_CLOEXEC)
    return (_to_zygote.decode(data), descriptors) if data else None
