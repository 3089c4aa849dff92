"""How a route's stages leave its process: each as soon as it has ended, in a form that the reader takes."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from types import MappingProxyType

import msgspec.structs

from graphcap.capture.failures import rename
from graphcap.capture.process.channel import Sender
from graphcap.graph.added import Told, check_added, told_by
from graphcap.graph.check import MAX_NODES, check_stage
from graphcap.graph.codec import DocumentError
from graphcap.graph.document import Failure, Stage, StageId
from graphcap.graph.stream import Added, Ended, Replayed, Started, frame

MAX_NOTE = 500  # characters


class StageSender:
    """`Emit` over a pipe. Stages outside `wanted` are dropped; each stage is sent once, in at most `message_bytes`.

    `users` maps absolute paths to submitted names. Not `timed`: a stage has the time it says, or none. `note` is told of
    every stage that has a graph.
    """

    def __init__(
        self,
        sender: Sender,
        target: str,
        wanted: Collection[StageId],
        message_bytes: int,
        nodes: int = MAX_NODES,
        users: Mapping[str, str] = MappingProxyType({}),
        timed: bool = True,
        note: str = "",
    ) -> None:
        self._sender = sender
        self._target = target
        self._message_bytes = message_bytes
        self._nodes = nodes
        self._users = users
        self._timed = timed
        self._note = note
        self._left = list(wanted)
        self._announced: set[StageId] = set()
        self._told: dict[StageId, Told] = {}  # of the stages that were sent
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
        if self._timed and stage.seconds is None and stage.status != "skipped":
            stage = msgspec.structs.replace(stage, seconds=round(now - self._since, 4))
        if self._note and stage.graphs:
            stage = msgspec.structs.replace(stage, notes=(*stage.notes, self._note))
        if stage.id in self._left:
            self.started(stage.id)
            self._left.remove(stage.id)
            stage, data = self._framed(stage)
            self._told[stage.id] = told_by(stage)
            self._sender.relay(data)
        self._since = time.monotonic()

    def added(self, added: Added) -> None:
        """More about a stage that was sent; where it is too large or unreadable, a note that says so."""
        before = self._told.get(added.stage)
        if before is None:
            return
        added = msgspec.structs.replace(added, replays=tuple(map(self._named, added.replays)))
        try:
            told = check_added(added, before, self._nodes)
            data = frame(added)
            if len(data) > self._message_bytes:
                raise DocumentError(f"{len(data)} bytes, more than the {self._message_bytes} that may be sent")
        except (DocumentError, UnicodeEncodeError, msgspec.MsgspecError, TypeError) as error:
            names = ", ".join(graph.id for graph in added.graphs) or "what running its graphs gave"
            names = ", ".join(f"the program of {saved.graph}" for saved in added.programs) or names
            added = Added(added.target, added.stage, notes=(f"{names} could not be sent: {error}"[:MAX_NOTE],))
            told, data = check_added(added, before), frame(added)
        self._told[added.stage] = told
        self._sender.relay(data)

    def _named(self, found: Replayed) -> Replayed:
        """Its reason, which may be what an exception says, with the submitted names in place of where the files lie."""
        reason = rename(found.replay.reason, self._users)
        return msgspec.structs.replace(found, replay=msgspec.structs.replace(found.replay, reason=reason))

    def _framed(self, stage: Stage) -> tuple[Stage, bytes]:
        """The message, and the stage in it; smaller where it is too large, a failure where it cannot be read at all."""
        nodes = sum(len(graph.nodes) for graph in stage.graphs)
        try:
            if nodes > self._nodes:
                raise _TooLarge(f"it has {nodes} nodes, more than the {self._nodes} that may be sent")
            check_stage(stage, self._target, self._nodes)
            for form in (stage, _without_extras(stage)):
                data = frame(Ended(self._target, form))
                if len(data) <= self._message_bytes:
                    return form, data
            raise _TooLarge(
                f"its {nodes} nodes take {len(data)} bytes, more than the {self._message_bytes} that may be sent"
            )
        except _TooLarge as error:
            failure = Failure("too-large", str(error), hints=("Capture a part of the model, or fewer layers of it.",))
        except (DocumentError, UnicodeEncodeError, msgspec.MsgspecError, TypeError) as error:  # torch had something new
            failure = Failure("unreadable", f"what was captured could not be written down: {error}")
        failures = (*stage.failures[:16], failure)
        stage = Stage(stage.id, "failed", seconds=stage.seconds, failures=failures)
        return stage, frame(Ended(self._target, stage))


class _TooLarge(Exception):
    """A stage is beyond a limit of what may be sent."""


def _without_extras(stage: Stage) -> Stage:
    """Without docstrings and the second text of its graphs, which take half of a large stage."""
    graphs = []
    for graph in stage.graphs:
        schemas = tuple(msgspec.structs.replace(schema, doc="") for schema in graph.schemas)
        graphs.append(msgspec.structs.replace(graph, schemas=schemas, readable="", readable_lines=()))
    note = "too large to keep whole: docstrings and print_readable are left out"
    return msgspec.structs.replace(stage, graphs=tuple(graphs), notes=(*stage.notes, note))
