"""How a route's stages leave its process: each as soon as it has ended."""

from __future__ import annotations

import time
from collections.abc import Collection

import msgspec.structs

from graphcap.capture.process.channel import Sender
from graphcap.graph.document import Failure, Stage, StageId
from graphcap.graph.stream import Ended, Started


class StageSender:
    """`Emit` over a pipe. Stages outside `wanted` are dropped; each stage is sent once."""

    def __init__(self, sender: Sender, target: str, wanted: Collection[StageId]) -> None:
        self._sender = sender
        self._target = target
        self._left = list(wanted)
        self._announced: set[StageId] = set()
        self._since = time.monotonic()

    @property
    def left(self) -> tuple[StageId, ...]:
        """The wanted stages that have not ended."""
        return tuple(self._left)

    def started(self, stage: StageId) -> None:
        """The stage is being worked on."""
        self._since = time.monotonic()
        if stage in self._left and stage not in self._announced:
            self._announced.add(stage)
            self._sender.send(Started(self._target, stage))

    def ended(self, stage: Stage) -> None:
        """The stage is done, failed or skipped; without `seconds` it gets the time since the last start or end."""
        now = time.monotonic()
        if stage.seconds is None and stage.status != "skipped":
            stage = msgspec.structs.replace(stage, seconds=round(now - self._since, 4))
        self._since = now
        if stage.id not in self._left:
            return
        self.started(stage.id)
        self._left.remove(stage.id)
        try:
            self._sender.send(Ended(self._target, stage))
        except (UnicodeEncodeError, msgspec.MsgspecError, TypeError) as error:  # text JSON cannot carry
            self._sender.send(Ended(self._target, Stage(stage.id, "failed", failures=(_unsendable(error),))))


def _unsendable(error: Exception) -> Failure:
    return Failure("unsendable", f"what was captured could not be written down: {error}")
