"""What a capture process says, held against what it was asked: the stream is hostile until every check here has passed.

Before: bytes from the result descriptor. After: messages in order, about targets and stages that were announced and asked
for, each stage once, with graphs that `graph.check` has passed. Their GIDs are then unique in the capture: each begins with
its own target and stage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from graphcap.graph.added import Told, check_added, told_by
from graphcap.graph.check import MAX_NODES, MAX_TARGETS, MAX_WORDS, check_stage
from graphcap.graph.codec import DocumentError, encode
from graphcap.graph.document import Failure, Options, Stage, StageId
from graphcap.graph.stream import Added, Bye, Ended, Found, Hello, Message, Nothing, Started, Unframer, decode

MAX_TORCH = 100  # characters of a version
MAX_TITLE = 500  # characters of a target's title


class MessageLimits(NamedTuple):
    """What one stage may be at most."""

    message_bytes: int
    nodes: int = MAX_NODES


class Conversation:
    """The checked side of one stream. `failures` and `states` hold what was learnt; any DocumentError ends it."""

    def __init__(self, options: Options, limits: MessageLimits) -> None:
        self.asked = options.stages
        self._limits = limits
        self._unframer = Unframer(limits.message_bytes)
        self.greeted = False
        self.finished = False
        self.failures: tuple[Failure, ...] = ()  # why nothing could be captured
        self.states: dict[tuple[str, StageId], str] = {}  # (target, stage): queued, running, or how it ended
        self._told: dict[tuple[str, StageId], Told] = {}
        self.stage_failures: list[Failure] = []  # of every stage
        self.added_words: list[str] = []  # notes and reasons that came once a stage had ended

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages completed by `data`, checked. Raises DocumentError."""
        for body in self._unframer.feed(data):
            message = decode(body)
            self._take(message)
            yield message

    @property
    def targets(self) -> tuple[str, ...]:
        """Ids of the targets found, in order."""
        return tuple(dict.fromkeys(target for target, _ in self.states))

    def in_state(self, *wanted: str) -> list[tuple[str, StageId]]:
        """The stages that wait, run, or ended so."""
        return [place for place, state in self.states.items() if state in wanted]

    def _take(self, message: Message) -> None:
        if self.finished:
            raise DocumentError(f"{_name(message)} came after the end")
        if isinstance(message, Hello) == self.greeted:
            raise DocumentError(f"{_name(message)} came out of turn")
        if isinstance(message, Hello):
            self.greeted = True
            _require(len(message.torch) <= MAX_TORCH, "a version of torch that is too long")
        elif isinstance(message, Found):
            self._found(message)
        elif isinstance(message, Nothing):
            _require(not self.states and not self.failures, "nothing was captured, after something or nothing was")
            _require(len(message.failures) > 0, "nothing was captured, without a reason")
            _require(len(encode(message)) <= MAX_WORDS, "the reasons why nothing was captured are too long")
            self.failures = message.failures
        elif isinstance(message, Started):
            self._require_open(message.target, message.stage, "queued")
            self.states[message.target, message.stage] = "running"
        elif isinstance(message, Ended):
            self._ended(message.target, message.stage)
        elif isinstance(message, Added):
            self._added(message)
        elif isinstance(message, Bye):
            self.finished = True

    def _found(self, message: Found) -> None:
        known = len(self.targets)
        _require(len(encode(message)) <= MAX_WORDS, "what was said of the targets is too long")
        _require(len(message.targets) > 0 and not self.failures, "targets were found, but none or after a failure")
        _require(known + len(message.targets) <= MAX_TARGETS, f"more than {MAX_TARGETS} targets")
        for number, target in enumerate(message.targets, known + 1):
            _require(target.id == f"t{number}", f"target {number} is called {target.id[:20]!r}")
            _require(not target.stages, f"target {target.id} came with stages")
            _require(len(set(target.fits)) == len(target.fits), f"target {target.id} has a stage twice")
            _require(len(target.title) <= MAX_TITLE, f"the title of target {target.id} is too long")
            self.states |= {(target.id, stage): "queued" for stage in target.stages_among(self.asked)}

    def _ended(self, target: str, stage: Stage) -> None:
        self._require_open(target, stage.id, "queued", "running")
        _require(stage.status in ("done", "failed", "skipped"), f"stage {stage.id} ended as {stage.status}")
        _require(stage.seconds is None or stage.seconds >= 0, f"stage {stage.id} took negative time")
        check_stage(stage, target, self._limits.nodes)
        self.states[target, stage.id] = stage.status
        self._told[target, stage.id] = told_by(stage)
        self.stage_failures += stage.failures

    def _added(self, added: Added) -> None:
        place = (added.target, added.stage)
        _require(place in self._told, f"something was added to stage {added.stage} of {added.target[:20]!r} before it ended")
        self._told[place] = check_added(added, self._told[place], self._limits.nodes)
        self.added_words += [*added.notes, *(each.replay.reason for each in added.replays)]

    def _require_open(self, target: str, stage: StageId, *wanted: str) -> None:
        state = self.states.get((target, stage))
        _require(state is not None, f"stage {stage} of {target[:20]!r} was not asked for")
        _require(state in wanted, f"stage {stage} of {target} came twice")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise DocumentError(otherwise)


def _name(message: Message) -> str:
    return f"the message {type(message).__name__}"
