"""Stands in for `graphcap.capture.warm` in a zygote: the submitted code itself says what is sent. No torch.

The submitted file is executed with `say(message)`, `raw(bytes)`, `stage(id, ...)`, `graph(gid, ...)` and the words of the
stream at hand.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from graphcap.graph.document import Failure, Graph, Node, Options, Output, Ref, Replay, Seq, Stage, Target
from graphcap.graph.stream import (
    PREFIX,
    Added,
    Bye,
    Ended,
    Found,
    Hello,
    Message,
    Nothing,
    Replayed,
    Request,
    Started,
    frame,
)

FOR_THE_CODE = (sys, time, Failure, Seq, Replay, PREFIX, Added, Bye, Nothing, Replayed)

REQUEST = Request("", "py", Options(), 0, 0)
FD = -1


def warm() -> None:
    """Nothing to warm."""


def run(request: bytes, folder: Path, result_fd: int, give_up_processes: Callable[[], None]) -> int:
    """One capture."""
    global REQUEST, FD
    REQUEST, FD = msgspec.json.decode(request, type=Request), result_fd
    names = dict(globals())
    exec(compile((folder / "code" / REQUEST.entry).read_text(), REQUEST.entry, "exec"), names)
    return 0


def raw(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(FD, view) :]


def say(message: Message) -> None:
    raw(frame(message))


def graph(gid: str = "export.0", size: int = 3) -> Graph:
    nodes = [Node("x", "placeholder", "x")]
    nodes += [Node(f"n{i}", "call_function", "aten.sin.default", args=(Ref(i - 1),)) for i in range(1, size - 1)]
    nodes += [Node("output", "output", "output", args=(Ref(size - 2),), returns=(Output("user_output", size - 2),))]
    return Graph(gid, "whole", int(gid.split(".")[-1].split("/")[0]), tuple(nodes), text="graph()")


def stage(id: str, *graphs: Graph, status: str = "done", **more: object) -> Stage:
    return Stage(id, status, graphs=graphs, **more)  # type: ignore[arg-type]


def begin(*targets: str) -> None:
    say(Hello("2.13.0+fake"))
    say(Found(tuple(Target(id, f"Model {id}", "the variable `model`") for id in targets or ("t1",))))


def whole(target: str = "t1") -> None:
    """Every stage asked for, with a graph each."""
    prefix = "" if target == "t1" else f"{target}."
    for name in REQUEST.options.stages:
        say(Started(target, name))
        say(Ended(target, stage(name, graph(f"{prefix}{name}.0"), seconds=0.5)))
