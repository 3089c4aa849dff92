from __future__ import annotations

import pytest

from graphcap.graph import stream
from graphcap.graph.codec import DocumentError
from graphcap.graph.document import Stage, Target

MESSAGES: list[stream.Message] = [
    stream.Hello("2.13.0"),
    stream.Found((Target("t1", "m", "r"),)),
    stream.Started("t1", "export"),
    stream.Ended("t1", Stage("export", "done")),
    stream.Bye(),
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100_000])
def test_messages_survive_any_cutting_of_the_stream(size: int) -> None:
    data = b"".join(map(stream.frame, MESSAGES))
    unframer = stream.Unframer(10_000)
    got = [stream.decode(body) for i in range(0, len(data), size) for body in unframer.feed(data[i : i + size])]
    assert got == MESSAGES


def test_a_stream_that_ends_in_the_middle_gives_what_came_whole() -> None:
    data = b"".join(map(stream.frame, MESSAGES))[:-3]
    assert len(list(stream.Unframer(10_000).feed(data))) == len(MESSAGES) - 1


def test_a_lying_length_is_refused_before_anything_is_kept() -> None:
    with pytest.raises(DocumentError, match="4294967295 bytes; the limit is 100"):
        list(stream.Unframer(100).feed(b"\xff\xff\xff\xff"))


@pytest.mark.parametrize(
    "body", [b"", b"{}", b'{"m":"rm -rf"}', b'{"m":"started","target":"t1","stage":"linker"}', b"\x80\x04K\x01."]
)
def test_what_is_no_message_is_refused(body: bytes) -> None:
    with pytest.raises(DocumentError, match="unreadable"):
        stream.decode(body)
