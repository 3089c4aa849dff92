"""What a route is: a function of the loaded target that says what it found."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Protocol

from graphcap.capture.record import Recorder
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Options, Stage, StageId
from graphcap.graph.stream import Added


class Emit(Protocol):
    """How a route says what it found. A stage that was started must be ended; stages not asked for are dropped.

    What is added to a stage that was not asked for, or is more than may be sent, is dropped too.
    """

    def started(self, stage: StageId) -> None:
        """The stage is being worked on."""

    def ended(self, stage: Stage) -> None:
        """The stage is done, failed or skipped. `seconds` is filled in when it is None."""

    def added(self, added: Added) -> None:
        """More about a stage that has ended."""


@dataclasses.dataclass(frozen=True)
class Later:
    """Work that no stage waits for: `do` says what it finds by `Emit.added`. `doing` completes "while ..."."""

    stage: StageId
    doing: str
    do: Callable[[], None]


RunRoute = Callable[[Loaded, Options, Recorder, Emit], Sequence[Later]]
"""Runs one route in a process of its own. An exception it lets through fails every stage it has not ended.

What it returns is done in order once all its stages have ended; what one of these lets through loses that one only.
"""
