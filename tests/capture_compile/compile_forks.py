"""Runs a route, or raw torch, in a fork: each test sees a torch that has compiled nothing yet."""

from __future__ import annotations

import functools
import json
import os
import traceback
from collections.abc import Callable
from typing import Any

import compile_models
import torch
from torch._dynamo.backends.common import aot_autograd

from graphcap.capture.process.silence import silence
from graphcap.capture.record import Recorder
from graphcap.capture.stages.aot import run_aot
from graphcap.capture.stages.dynamo import run_dynamo
from graphcap.capture.stages.route import RunRoute
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.added import Told, check_added, told_by, with_added
from graphcap.graph.check import check_stage
from graphcap.graph.codec import decode, encode
from graphcap.graph.document import Graph, Options, Stage
from graphcap.graph.stream import Added

Make = Callable[[], Loaded]

USERS = {compile_models.__file__: "models.py"}


def in_fork(work: Callable[[], Any]) -> Any:
    """What `work` returns, through JSON; its exception as an AssertionError with the whole trace."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            said: Any = {"result": work()}
        except BaseException:
            said = {"trace": traceback.format_exc()}
        with os.fdopen(writing, "w") as pipe:
            json.dump(said, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = json.loads(pipe.read() or '{"trace": "the fork died"}')
    os.waitpid(pid, 0)
    assert "trace" not in said, said["trace"]
    return said["result"]


class Kept:
    """An `Emit` that keeps what it is given, and refuses a stage that is not started or ends twice."""

    def __init__(self) -> None:
        self.open: set[str] = set()
        self.ended_stages: list[Stage] = []
        self.told: dict[str, Told] = {}

    def started(self, stage: str) -> None:
        self.open.add(stage)

    def ended(self, stage: Stage) -> None:
        self.open.remove(stage.id)
        self.ended_stages.append(stage)
        self.told[stage.id] = told_by(stage)

    def added(self, added: Added) -> None:
        self.told[added.stage] = check_added(added, self.told[added.stage])
        self.ended_stages = [with_added(s, added) if s.id == added.stage else s for s in self.ended_stages]


def route(run: RunRoute, make: Make, **options: Any) -> dict[str, Stage]:
    """The stages of one route with all that was added to them, checked, in the order they were emitted."""

    def work() -> list[str]:
        kept, target = Kept(), make()
        later = run(target, Options(**options), Recorder(USERS, target.model), kept)
        assert not kept.open
        with silence():
            for work in later:
                work.do()
        return [encode(stage).decode() for stage in kept.ended_stages]

    stages = [decode(text.encode(), Stage) for text in in_fork(work)]
    for stage in stages:
        check_stage(stage, "t1")
    return {stage.id: stage for stage in stages}


@functools.cache
def dynamo(make: Make, **options: Any) -> Stage:
    return route(run_dynamo, make, **options)["dynamo"]


@functools.cache
def aot(make: Make, **options: Any) -> dict[str, Stage]:
    return route(run_aot, make, **options)


def raw_fragments(make: Make) -> list[list[str]]:
    """Names of the nodes that plain torch.compile hands to a backend, fragment by fragment."""

    def work() -> list[list[str]]:
        fragments: list[list[str]] = []

        def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
            fragments.append([node.name for node in module.graph.nodes])
            return module.forward

        call(torch.compile, make(), backend)
        return fragments

    return in_fork(work)


def raw_aot(make: Make, partitioner: Callable[..., Any], decompositions: Any = None) -> dict[str, list[list[str]]]:
    """Targets of the nodes in the graphs that plain AOTAutograd gives its partitioner, and gets from it."""

    def work() -> dict[str, list[list[str]]]:
        found: dict[str, list[list[str]]] = {"joint": [], "forward": [], "backward": []}

        def keep(stage: str, module: torch.fx.GraphModule) -> None:
            found[stage].append([str(node.target) for node in module.graph.nodes])

        def partition(joint: torch.fx.GraphModule, inputs: Any, **settings: Any) -> Any:
            keep("joint", joint)
            forward, backward = partitioner(joint, inputs, **settings)
            keep("forward", forward)
            keep("backward", backward)
            return forward, backward

        def inference(module: torch.fx.GraphModule, inputs: Any) -> Any:
            keep("forward", module)
            return module

        backend = aot_autograd(
            fw_compiler=lambda module, inputs: module,
            inference_compiler=inference,
            partition_fn=partition,
            decompositions=decompositions,
        )
        call(torch.compile, make(), backend)
        return found

    return in_fork(work)


def call(compile_: Callable[..., Any], target: Loaded, backend: Any) -> Any:
    return compile_(target.model, backend=backend)(*target.args, **target.kwargs)


def own(stage: Stage) -> list[Graph]:
    """The stage's graphs without the bodies of higher-order ops, and what a fragment has besides its own."""
    return [graph for graph in stage.graphs if not graph.parent and not graph.variant and not graph.recompile]


def names(graph: Graph) -> list[str]:
    return [node.name for node in graph.nodes]


def inputs(graph: Graph) -> dict[str, tuple[str, str]]:
    """Placeholder node -> (kind, name)."""
    return {node.name: (node.placeholder.kind, node.placeholder.name) for node in graph.nodes if node.placeholder}


def outputs(graph: Graph) -> list[tuple[str, str, str]]:
    """(kind, name, node) of what the graph returns; node "" for None."""
    return [
        (output.kind, output.name, "" if output.node is None else graph.nodes[output.node].name)
        for output in graph.nodes[-1].returns
    ]
