"""The records of a log of TORCH_TRACE: a line of JSON each, and behind some a payload of lines that begin with a tab.

Whatever can not be read is counted and passed over: a log may be cut off in the middle of a word.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from graphcap.graph.logs import HEAD

MAX_LINE = 64 << 20  # bytes; the text of a graph is many lines, a record's own line a few kilobytes
MAX_BYTES = 2 << 30  # of one log, unpacked: a packed one may be made to grow a thousandfold
MAX_PAYLOAD = 64 << 20

PASSED_OVER = frozenset(("describe_storage", "describe_tensor"))
"""Kinds that say nothing that is shown; they are many."""

ABOUT = frozenset(
    ("frame_id", "frame_compile_id", "attempt", "compiled_autograd_id", "rank", "has_payload", "stack", "process", "thread")
)
"""Keys of a record beside the one that names its kind."""


@dataclasses.dataclass(frozen=True)
class Record:
    """One record. `kind` is torch's word, `artifact:NAME` for those that it keeps under `artifact`; `said` is what stands
    under the kind."""

    kind: str
    said: Any
    about: dict[str, Any]
    payload: str


class Reading:
    """What was met while a log was read. `kinds` counts its records; `unreadable` lines that are no record."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.unreadable = 0
        self.cut = ""

    def records(self, path: Path) -> Iterator[Record]:
        """The records of a file in order. A damaged end is said in `cut`."""
        head: tuple[str, Any, dict[str, Any]] | None = None
        payload: list[bytes] = []
        size = 0
        for line in self._lines(path):
            if line.startswith(b"\t"):
                size += len(line)
                if head is not None and size <= MAX_PAYLOAD:
                    payload.append(line[1:])
                continue
            if head is not None:
                yield Record(*head, b"".join(payload).decode(errors="replace"))
            payload, size = [], 0
            head = self._head(line)
            if head is not None:
                self.kinds[head[0]] += 1
        if head is not None:
            yield Record(*head, b"".join(payload).decode(errors="replace"))

    def _head(self, line: bytes) -> tuple[str, Any, dict[str, Any]] | None:
        found = HEAD.match(line)
        if found is None:
            self.unreadable += bool(line.strip())
            return None
        try:
            said = json.loads(line[found.end() :])
        except (ValueError, RecursionError):
            self.unreadable += 1
            return None
        kinds = [key for key in said if key not in ABOUT]
        if not kinds:
            self.unreadable += 1
            return None
        kind, about = kinds[0], {key: said[key] for key in said if key in ABOUT}
        if kind == "artifact" and isinstance(said[kind], dict):
            return f"artifact:{said[kind].get('name')}"[:200], said[kind], about
        return kind[:200], said[kind], about

    def _lines(self, path: Path) -> Iterator[bytes]:
        total = 0
        try:
            with open_log(path) as stream:
                while line := stream.readline(MAX_LINE):
                    total += len(line)
                    if total > MAX_BYTES:
                        self.cut = f"{path.name} is longer than {MAX_BYTES >> 20} MiB; the rest was left out"
                        return
                    yield line
        except (OSError, EOFError, zlib.error) as error:
            self.cut = f"{path.name} is damaged: {error}"


def open_log(path: Path) -> BinaryIO:
    """A log, unpacked where it is gzip."""
    with path.open("rb") as stream:
        packed = stream.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path, "rb")) if packed else path.open("rb")


def has_records(path: Path) -> bool:
    """Whether one of the first lines is a record."""
    try:
        with open_log(path) as stream:
            return any(HEAD.match(stream.readline(1 << 16)) for _ in range(20))
    except (OSError, EOFError, zlib.error):
        return False
