"""What comes for a stage once it has ended: checked against what the stage said before, and put together with it."""

from __future__ import annotations

import dataclasses
import math

import msgspec.structs

from graphcap.graph.check import MAX_GRAPHS, MAX_NODES, MAX_WORDS, check_graphs, check_recompiles
from graphcap.graph.codec import DocumentError, encode
from graphcap.graph.document import Replay, Stage
from graphcap.graph.stream import Added

MAX_PROGRAM = 32 << 20  # bytes; the core ATen program of an 80-layer Llama takes 15 MB
ZIP = b"PK\x03\x04"


@dataclasses.dataclass(frozen=True)
class Told:
    """What a stage has said so far: its graphs, those replayed, and how much of what is limited."""

    graphs: frozenset[str]
    replayed: frozenset[str]
    nodes: int
    guards: int
    programs: frozenset[str] = frozenset()  # graphs whose program was saved
    words: int = 0  # bytes of what was added, beside graphs and guards


def told_by(stage: Stage) -> Told:
    """What a stage says as it ends."""
    return Told(
        graphs=frozenset(graph.id for graph in stage.graphs),
        replayed=frozenset(graph.id for graph in stage.graphs if graph.replay is not None),
        nodes=sum(len(graph.nodes) for graph in stage.graphs),
        guards=len(stage.guards),
    )


def check_added(added: Added, before: Told, max_nodes: int = MAX_NODES) -> Told:
    """All that the stage has said then; raises DocumentError where it does not fit what was said before."""

    def require(holds: bool, otherwise: str) -> None:
        if not holds:
            raise DocumentError(f"{added.stage}: {otherwise}")

    require(len(before.graphs) + len(added.graphs) <= MAX_GRAPHS, f"more than {MAX_GRAPHS} graphs")
    names = check_graphs(added.graphs, added.target, added.stage, before.graphs)
    nodes = before.nodes + sum(len(graph.nodes) for graph in added.graphs)
    require(nodes <= max_nodes, f"more than {max_nodes} nodes")
    guards = before.guards + len(added.guards)
    check_recompiles(added.recompiles, guards)
    replayed = set(before.replayed)
    for each in added.replays:
        require(each.graph in names, f"{each.graph[:80]!r} was replayed, and is no graph of it")
        require(each.graph not in replayed, f"{each.graph!r} was replayed twice")
        check_replay(each.replay)
        replayed.add(each.graph)
    programs = set(before.programs)
    for saved in added.programs:
        require(saved.graph in names, f"{saved.graph[:80]!r} is the graph of a program, and no graph of it")
        require(saved.graph not in programs, f"the program of {saved.graph!r} came twice")
        require(saved.data.startswith(ZIP), f"the program of {saved.graph!r} is no archive")
        require(len(saved.data) <= MAX_PROGRAM, f"the program of {saved.graph!r} has more than {MAX_PROGRAM} bytes")
        programs.add(saved.graph)
    words = before.words + len(encode(msgspec.structs.replace(added, graphs=(), guards=(), programs=())))
    words += sum(len(graph.title) for graph in added.graphs)
    require(words <= MAX_WORDS, f"what was added is longer than {MAX_WORDS} bytes")
    return Told(names, frozenset(replayed), nodes, guards, frozenset(programs), words)


def check_replay(replay: Replay) -> None:
    """Counts and differences are numbers that can be."""
    differences = [number for number in (replay.max_abs, replay.max_rel) if number is not None]
    if any(not math.isfinite(number) or number < 0 for number in differences) or min(replay.outputs, replay.gradients) < 0:
        raise DocumentError(f"a replay has differences or counts that can not be: {differences}")


def with_added(stage: Stage, added: Added) -> Stage:
    """The stage with all that was added to it."""
    replays = {each.graph: each.replay for each in added.replays}
    graphs = (*stage.graphs, *added.graphs)
    return msgspec.structs.replace(
        stage,
        graphs=tuple(
            msgspec.structs.replace(graph, replay=replays[graph.id]) if graph.id in replays else graph for graph in graphs
        ),
        notes=(*stage.notes, *added.notes),
        guards=(*stage.guards, *added.guards),
        recompiles=(*stage.recompiles, *added.recompiles),
    )
