"""What a zygote loads to take captures that last a moment and need no torch: the way is the real one, the graph is not."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from graphcap.graph.document import Graph, Node, Ref, Stage, Target
from graphcap.graph.stream import Bye, Ended, Found, Hello, Message, Request, Started, frame

PAUSE_SECONDS = 0.05  # between two messages: moments to be killed in


def warm() -> None:
    """Nothing to load."""


def run(request: bytes, folder: Path, result_fd: int, give_up_processes: Callable[[], None]) -> int:
    """One target, every stage asked for with a graph of two nodes."""
    asked = msgspec.json.decode(request, type=Request)
    nodes = (Node("x", "placeholder", "x"), Node("y", "call_function", "sin", args=(Ref(0),)))
    messages: list[Message] = [Hello("2"), Found((Target("t1", "quick", "quick"),))]
    for stage in asked.options.stages:
        graph = Graph(f"{stage}.0", "quick", 0, nodes)
        messages += [Started("t1", stage), Ended("t1", Stage(stage, "done", graphs=(graph,)))]
    for message in (*messages, Bye()):
        os.write(result_fd, frame(message))
        time.sleep(PAUSE_SECONDS)
    return 0
