"""A submitted log as a capture: what torch compiled in the run, as targets with the stages that the log has of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from graphcap.capture.logs.compiles import KNOWN, MAX_COMPILES, Compiles
from graphcap.capture.logs.functions import Function, compilation_of, functions, title_of
from graphcap.capture.logs.paths import Paths
from graphcap.capture.logs.records import PASSED_OVER, Reading, has_records
from graphcap.capture.logs.stages import Stages
from graphcap.capture.process.channel import Sender
from graphcap.capture.process.emit import StageSender
from graphcap.graph.check import MAX_TARGETS
from graphcap.graph.document import LOG_STAGES, Compilation, Failure, Target
from graphcap.graph.stream import Found, Hello, Nothing, Request

MAX_LOGS = 256  # files: one for each process of the run
MAX_KINDS = 12  # of those that are counted in the output

_AGAIN = "Log a run anew: TORCH_TRACE=/tmp/trace python train.py, and upload what is in that folder."


def read_log(request: Request, folder: Path, users: Mapping[str, str], sender: Sender, say: Callable[[str], None]) -> None:
    """Sends Hello with the torch of the log, then what it holds; `say` prints what was met while it was read."""
    paths = Paths(users.values())
    reading = Reading()
    logs = [_processed(path, reading, paths) for path in _files(folder, request.entry)]
    sender.send(Hello(next((log.torch for log in logs if log.torch), "unknown")))
    _tell(reading, sum(log.left_out for log in logs), say)
    found = [function for log in logs for function in functions(log, paths)]
    chosen = _chosen(found)
    if not chosen:
        sender.send(Nothing((_nothing(reading, request.entry),)))
        return
    if len(found) > len(chosen):
        words = f"those without a graph or a break, and those after the first {MAX_TARGETS}"
        say(f"{len(found) - len(chosen)} of {len(found)} functions are not shown: {words}")
    compilations = [tuple(compilation_of(p, one.log, paths) for p in one.pieces) for one in chosen]
    targets = [
        _target(f"t{number}", one, chosen, times)
        for number, (one, times) in enumerate(zip(chosen, compilations, strict=True), 1)
    ]
    sender.send(Found(tuple(targets)))
    for target, function, times in zip(targets, chosen, compilations, strict=True):
        emit = StageSender(sender, target.id, LOG_STAGES, request.message_bytes, request.nodes, users, timed=False)
        for stage in Stages(target.id, function, paths, times).stages():
            emit.ended(stage)


def _files(folder: Path, entry: str) -> list[Path]:
    """The log chosen, and all others that came with it: each process of a run writes its own."""
    found = [Path(root) / name for root, _, names in os.walk(folder) for name in names]
    first = folder / entry
    return [first, *sorted(path for path in found if path != first and has_records(path))][:MAX_LOGS]


def _processed(path: Path, reading: Reading, paths: Paths) -> Compiles:
    log = Compiles(path.name)
    log.take(reading.records(path))
    for file in log.files.values():
        paths.name(file)  # guards name the ends of these
    return log


def _chosen(found: list[Function]) -> list[Function]:
    """Functions with a graph, a break or a failure; as many as a capture may have targets."""
    return [
        one
        for one in found
        if any(
            piece.fragment is not None
            or piece.compile.breaks
            or piece.compile.error
            or piece.compile.metrics.get("fail_type")
            for piece in one.pieces
        )
    ][:MAX_TARGETS]


def _target(id: str, one: Function, all: list[Function], times: tuple[Compilation, ...]) -> Target:
    several = any(each.epoch for each in all)
    logs = len({each.log.log for each in all}) > 1
    spent = sum(each.seconds or 0.0 for each in times)
    ids = ", ".join(each.id for each in times[:8]) + (", ..." if len(times) > 8 else "")
    took = f", {spent:.1f} s in all" if spent else ""
    rule = f"compiled in the logged run ({one.log.log}): compile ids {ids}{took}"
    return Target(id, title_of(one, several, logs)[:400], rule, frame=one.call, compilations=times)


def _tell(reading: Reading, left_out: int, say: Callable[[str], None]) -> None:
    """What was read, and what was passed over, in the printed output of the capture."""
    total = sum(reading.kinds.values())
    say(f"{total:,} records read")
    unknown = Counter({kind: n for kind, n in reading.kinds.items() if kind not in KNOWN and kind not in PASSED_OVER})
    if unknown:
        shown = ", ".join(f"{kind} ({count:,})" for kind, count in unknown.most_common(MAX_KINDS))
        more = f", and {len(unknown) - MAX_KINDS} kinds more" if len(unknown) > MAX_KINDS else ""
        say(f"{sum(unknown.values()):,} records of {len(unknown)} kinds are not shown: {shown}{more}")
    if left_out:
        say(f"{left_out:,} records are of compiles after the first {MAX_COMPILES:,} of a process, and were passed over")
    if reading.unreadable:
        say(f"{reading.unreadable:,} lines are no record and were passed over")
    if reading.cut:
        say(reading.cut)


def _nothing(reading: Reading, entry: str) -> Failure:
    if reading.cut:
        return Failure("damaged-log", reading.cut, hints=(_AGAIN,))
    if not reading.kinds:
        message = f"{entry} holds no record of TORCH_TRACE"
        return Failure("not-a-log", message, hints=(_AGAIN,))
    total = sum(reading.kinds.values())
    return Failure(
        "nothing-compiled",
        f"{entry} holds no graph that torch.compile captured; its records are {total:,} of other kinds",
        hints=("Was anything compiled in that run? torch.compile compiles at the first call.", _AGAIN),
    )
