"""Logs read as the capture process reads them, and what it then sends, checked as the server checks it."""

from __future__ import annotations

import dataclasses
import gzip
import os
from collections.abc import Mapping
from pathlib import Path

from graphcap.capture.logs.run import read_log
from graphcap.capture.process.channel import Sender
from graphcap.graph.document import LOG_STAGES, Failure, Graph, Options, Stage, Target
from graphcap.graph.stream import Bye, Ended, Found, Hello, Nothing, Request, frame
from graphcap.jobs.messages import Conversation, MessageLimits

LOG = gzip.decompress((Path(__file__).parent / "logged" / "train.log.gz").read_bytes())
CODE = (Path(__file__).parent / "logged" / "train.py").read_bytes()


@dataclasses.dataclass
class Read:
    """What a log gave."""

    torch: str = ""
    targets: tuple[Target, ...] = ()
    stages: dict[tuple[str, str], Stage] = dataclasses.field(default_factory=dict)
    failures: tuple[Failure, ...] = ()
    said: list[str] = dataclasses.field(default_factory=list)

    def graph(self, gid: str) -> Graph:
        """One graph by its GID."""
        return next(graph for stage in self.stages.values() for graph in stage.graphs if graph.id == gid)


def read(files: Mapping[str, bytes], folder: Path) -> Read:
    """The first file is the entry."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    request = Request(next(iter(files)), "log", Options(stages=LOG_STAGES), 1 << 30, 60.0)
    found = Read()
    with (folder.parent / f"{folder.name}.result").open("w+b", buffering=0) as result:
        users = {str(folder / name): name for name in files}
        read_log(request, folder, users, Sender(os.dup(result.fileno())), found.said.append)
        result.seek(0)
        talk = Conversation(request.options, MessageLimits(64 << 20))
        for message in talk.feed(result.read() + frame(Bye())):
            match message:
                case Hello(torch):
                    found.torch = torch
                case Found(targets):
                    found.targets = targets
                case Nothing(failures):
                    found.failures = failures
                case Ended(target, stage):
                    found.stages[target, stage.id] = stage
    return found
