"""What a capture says, put together into one capture file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec.structs

from graphcap.graph.added import with_added
from graphcap.graph.document import SCHEMA, Failure, File, GraphDocument, Options, Stage, StageId, Target
from graphcap.graph.package import CaptureFile, capture_file
from graphcap.graph.stream import Added, Ended, Found, Hello, Kind, Message, Nothing, SavedProgram

LOST = Failure(
    "crashed",
    "the process that captured it ended before it was done",
    hints=("What it printed last, above, may say why.",),
)


class Gathering:
    """Takes messages in order; `capture` is what they come to. `heard` gets each of them too."""

    def __init__(self, options: Options, heard: Callable[[Message], None]) -> None:
        self._options = options
        self._heard = heard
        self._torch = ""
        self._targets: dict[str, Target] = {}
        self._stages: dict[tuple[str, StageId], Stage] = {}
        self._failures: tuple[Failure, ...] = ()
        self._programs: list[SavedProgram] = []

    def take(self, message: Message) -> None:
        """The next one."""
        match message:
            case Hello(torch):
                self._torch = torch
            case Found(targets):
                self._targets |= {target.id: target for target in targets}
            case Nothing(failures):
                self._failures = failures
            case Ended(target, stage):
                self._stages[target, stage.id] = stage
            case Added():
                place = (message.target, message.stage)
                self._stages[place] = with_added(self._stages[place], message)
                self._programs += message.programs
            case _:
                pass
        self._heard(message)

    @property
    def user_files(self) -> frozenset[str]:
        """Names of the person's own files that lines of the graphs stand in."""
        return frozenset(
            frame.file for stage in self._stages.values() for graph in stage.graphs for frame in graph.frames if frame.user
        )

    def capture(self, kind: Kind, files: Iterable[File], seconds: float, log: str, log_cut: int) -> CaptureFile:
        """All of it. Stages that never ended have failed."""
        targets = tuple(self._whole(target) for target in self._targets.values())
        failures = self._failures or (() if targets else (LOST,))
        torch = self._torch or "unknown"
        options = msgspec.structs.replace(self._options, rerun=False)
        document = GraphDocument(SCHEMA, torch, tuple(files), options, targets, failures, log, log_cut)
        return capture_file(kind, document, seconds, self._programs)

    def _whole(self, target: Target) -> Target:
        asked = target.stages_among(self._options.stages)
        lost = (Stage(stage, "failed", failures=(LOST,)) for stage in asked if (target.id, stage) not in self._stages)
        had = [stage for (owner, _), stage in self._stages.items() if owner == target.id]
        stages = sorted((*had, *lost), key=lambda stage: asked.index(stage.id))
        return msgspec.structs.replace(target, stages=tuple(stages))
