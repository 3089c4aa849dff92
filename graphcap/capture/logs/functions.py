"""The functions that a logged run compiled: each a target, with the frames that torch made of it as fragments.

After a graph break Dynamo compiles the rest of a function as a frame of its own (`torch_dynamo_resume_in_NAME_at_LINE`); the
same frame is compiled again when a guard fails.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from graphcap.capture.logs.compiles import Compile, Compiles
from graphcap.capture.logs.paths import RESUMED, Paths
from graphcap.graph.document import Compilation, Frame

MAX_TARGETS = 64  # graphcap.graph.check
MAX_RECOMPILE = 9_999  # of a GID
MAX_TITLE = 200
_PHASES = {
    "backend_compile_time_s": "backend",
    "inductor_compile_time_s": "Inductor",
    "code_gen_time_s": "code generation",
    "joint_graph_pass_time_us": "joint graph passes",
    "post_grad_pass_time_us": "post-grad passes",
    "pre_grad_pass_time_us": "pre-grad passes",
    "dynamo_time_before_restart_s": "Dynamo before it began again",
}
"""Fields of torch's `compilation_metrics` that are times, and their words."""


@dataclasses.dataclass(frozen=True)
class Piece:
    """One compile as a piece of a function. `fragment` is None where no graph came of it."""

    compile: Compile
    fragment: int | None
    recompile: int


@dataclasses.dataclass(frozen=True)
class Function:
    """A compiled function with its pieces in the order in which they were compiled."""

    name: str
    frame: Frame | None  # where it begins
    call: Frame | None  # where it was called
    pieces: tuple[Piece, ...]
    log: Compiles

    @property
    def epoch(self) -> int:
        """How many times the process had been reset."""
        return self.pieces[0].compile.epoch


def functions(log: Compiles, paths: Paths) -> list[Function]:
    """The functions of a process, in the order in which torch met them."""
    owners: dict[tuple[Any, ...], list[Compile]] = {}
    by_frame: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    latest: dict[tuple[int, str, str], tuple[Any, ...]] = {}
    for one in log.all:
        name, file = _name(one), _file(one, log)
        alone = (id(one),) if one.frame is None else ()
        frame = (one.epoch, one.key[1], one.frame, *alone)
        resumed = RESUMED.match(name)
        owner = by_frame.get(frame)
        if owner is None:
            owner = latest.get((one.epoch, resumed["function"], file), frame) if resumed else frame
            by_frame[frame] = owner
        if owner == frame:
            latest[one.epoch, name, file] = frame
        owners.setdefault(owner, []).append(one)
    return [_function(several, log, paths) for several in owners.values()]


def _function(compiles: Sequence[Compile], log: Compiles, paths: Paths) -> Function:
    first = compiles[0]
    resumed = RESUMED.match(_name(first))
    callers = (_caller(each, log, paths) for each in reversed(first.stack[:-1]))
    call = next((each for each in callers if each.user), None)
    name = resumed["function"] if resumed else _name(first)
    return Function(name or _nameless(first), _begins(first, log, paths), call, _pieces(compiles), log)


def _caller(entry: Mapping[str, Any], log: Compiles, paths: Paths) -> Frame:
    """A line of the stack that torch logged; files are numbers there."""
    file = log.files.get(_int(entry.get("filename")), "")
    return paths.frame(file, _int(entry.get("line")), str(entry.get("name", "")), str(entry.get("loc", "")))


def _pieces(compiles: Sequence[Compile]) -> tuple[Piece, ...]:
    """Frames with a graph are fragments in torch's own order; a frame's later graphs are recompiles."""
    frames = {one.frame: None for one in compiles if one.has_graph}
    number = {frame: i for i, frame in enumerate(sorted(frames, key=lambda frame: -1 if frame is None else frame))}
    seen: dict[int | None, int] = {}
    found = []
    for one in compiles:
        if not one.has_graph:
            found.append(Piece(one, None, 0))
            continue
        recompile = min(seen.get(one.frame, 0), MAX_RECOMPILE)
        seen[one.frame] = recompile + 1
        found.append(Piece(one, number[one.frame], recompile))
    return tuple(found)


def title_of(function: Function, several: bool, logs: bool) -> str:
    """`forward (train.py, line 15)`, with the process and the epoch where there are more than one."""
    place = f" ({function.frame.file}, line {function.frame.line})" if function.frame else ""
    epoch = f", after {_times(function.epoch)}" if several and function.epoch else ""
    log = f", {_process(function.log.log)}" if logs else ""
    return f"{function.name[:MAX_TITLE]}{place}{epoch}{log}"


def _process(log: str) -> str:
    """`rank 0`, which torch writes into the names of a distributed run's logs; the name itself of any other."""
    rank = re.search(r"_rank_(\d{1,6})_", log)
    return f"rank {int(rank[1])}" if rank else log


def _times(resets: int) -> str:
    return "a reset of Dynamo" if resets == 1 else f"{resets} resets of Dynamo"


def compilation_of(piece: Piece, log: Compiles, paths: Paths) -> Compilation:
    """What `compilation_metrics` says of one compile."""
    one, said = piece.compile, piece.compile.metrics
    phases = [(words, seconds) for field, words in _PHASES.items() if (seconds := _seconds(said, field))]
    backward = sum(_seconds(each, "inductor_compile_time_s") or 0.0 for each in one.backward_metrics)
    failure = said.get("fail_reason") or ""
    return Compilation(
        id=one.id,
        function=_name(one) or _nameless(one),
        frame=_begins(one, log, paths),
        fragment=piece.fragment,
        recompile=piece.recompile,
        seconds=_seconds(said, "entire_frame_compile_time_s"),
        phases=(*phases, *([("Inductor, backward", round(backward, 6))] if backward else [])),
        nodes=_count(said, "graph_node_count"),
        guards=_count(said, "guard_count"),
        cache=one.cache,
        failure=str(failure)[:2_000],
    )


def _begins(one: Compile, log: Compiles, paths: Paths) -> Frame | None:
    file, line = _file(one, log), one.metrics.get("co_firstlineno")
    if not file:
        return None
    return paths.frame(file, line if isinstance(line, int) else _last_line(one), _name(one))


def _name(one: Compile) -> str:
    name = one.metrics.get("co_name")
    if isinstance(name, str):
        return name
    return str(one.stack[-1].get("name", "")) if one.stack else ""


def _file(one: Compile, log: Compiles) -> str:
    file = one.metrics.get("co_filename")
    if isinstance(file, str):
        return file
    return log.files.get(_int(one.stack[-1].get("filename")), "") if one.stack else ""


def _last_line(one: Compile) -> int:
    return _int(one.stack[-1].get("line")) if one.stack else 0


def _nameless(one: Compile) -> str:
    return "compiled autograd" if one.key[1] is not None else "compiled outside of a frame"


def _seconds(said: dict[str, Any], field: str) -> float | None:
    value = said.get(field)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        return None
    return round(value / 1e6 if field.endswith("_us") else float(value), 6)


def _count(said: dict[str, Any], field: str) -> int | None:
    value = said.get(field)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None


def _int(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31 else 0
