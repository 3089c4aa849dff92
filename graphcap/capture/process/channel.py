"""Messages between the processes of a capture: framed as on the result descriptor, relayed whole or not at all.

A child never holds the result descriptor. It writes to a pipe of its own, and its parent passes on complete messages
only: a child killed while it writes leaves no half message behind.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress

import msgspec

from graphcap.graph.document import StageId
from graphcap.graph.stream import PREFIX, Message, frame

MAX_MESSAGE_BYTES = 1 << 30  # the reader has the true limit; this one only refuses a length that is garbage
HIGH_FD = 100  # away from the descriptors that a person's code may close by number


class Sender:
    """Writes messages to a descriptor. `leave` is one that the parent writes to when what nobody waits for may be done."""

    def __init__(self, fd: int, leave: int = -1) -> None:
        self.fd = fd
        self._leave = leave

    def await_leave(self) -> None:
        """Waits until the parent says that nobody waits for the processor any more; where it never does, it does at once."""
        if self._leave >= 0:
            with suppress(OSError):  # the person's code may have closed it
                os.read(self._leave, 1)

    def send(self, message: Message) -> None:
        """The whole message, however long; blocks while the reader is busy."""
        self.relay(frame(message))

    def relay_body(self, body: bytes) -> None:
        """A message that another process has encoded."""
        self.relay(PREFIX.pack(len(body)) + body)

    def relay(self, data: bytes) -> None:
        """Bytes of whole messages, framed already."""
        view = memoryview(data)
        while view:
            view = view[os.write(self.fd, view) :]


class Head(msgspec.Struct):
    """What a relaying process looks at: the kind of a message, and the stage it is about."""

    m: str
    target: str = ""
    stage: msgspec.Raw = msgspec.Raw()


class _StageHead(msgspec.Struct):
    id: StageId


_head = msgspec.json.Decoder(Head)
_stage = msgspec.json.Decoder(_StageHead)
_name = msgspec.json.Decoder(StageId)


def head_of(body: bytes) -> Head:
    """The head of a message's body; raises msgspec.MsgspecError."""
    return _head.decode(body)


def stage_of(head: Head) -> StageId:
    """The stage a Started or Ended message is about."""
    return _name.decode(head.stage) if head.m == "started" else _stage.decode(head.stage).id


def out_of_reach(fd: int) -> int:
    """The same open file under a high number that is closed on exec; `fd` itself is closed."""
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, HIGH_FD)
    os.close(fd)
    return high
