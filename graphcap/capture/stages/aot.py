"""Route `aot`: the joint, forward and backward graphs that AOTAutograd makes of each Dynamo fragment of one call.

No backward is run: the partitioner returns both halves of a joint graph at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import torch.fx

from graphcap.capture.compile import blame
from graphcap.capture.compile.autograd import Fragment, compile_fragment
from graphcap.capture.compile.breaks import breaks, nothing_captured
from graphcap.capture.compile.running import Compiled, Run, fragment_title, run
from graphcap.capture.compile.sources import fragment_inputs
from graphcap.capture.failures import exception_text
from graphcap.capture.fx.operators import OperatorTable
from graphcap.capture.partition.classes import classes
from graphcap.capture.partition.cut import OTHER, WORDS
from graphcap.capture.record import Recorder
from graphcap.capture.replay.fragments import replays
from graphcap.capture.replay.start import Start
from graphcap.capture.stages.byhand import run_by_hand
from graphcap.capture.stages.route import Emit, Later
from graphcap.capture.target.loaded import Loaded
from graphcap.capture.target.tensors import tensor_names
from graphcap.graph.document import ROUTES, Failure, Graph, Options, Stage, StageId
from graphcap.graph.stream import Added


def run_aot(target: Loaded, options: Options, recorder: Recorder, emit: Emit) -> Sequence[Later]:
    """Emits stages `joint`, `forward` and `backward`; later the halves of the other partitioner, and replays."""
    for stage in ROUTES["aot"]:
        emit.started(stage)
    if target.missing:
        for stage in ROUTES["aot"]:
            emit.ended(Stage(stage, "skipped", reason=target.missing))
        return ()
    if target.by_hand is not None:
        return run_by_hand(target, target.by_hand, recorder, emit)
    names = tensor_names(target.model, target.args, target.kwargs)
    start = Start(target)
    recorder.operators = OperatorTable(classes)
    fragments: list[Fragment] = []

    def backend(index: int, module: torch.fx.GraphModule, inputs: Sequence[Any]) -> Compiled:
        del fragments[index:]  # a frame that Dynamo traces again comes again
        given = fragment_inputs(module, names, recorder.measured)
        fragments.append(Fragment(index, tuple(given.values()), module))
        return compile_fragment(fragments[-1], module, inputs, target, options, recorder)

    early: list[StageId] = []

    def before_running(seen: Run) -> bool:
        for stage in ("joint", "backward"):  # nothing that the run may bring belongs to these
            emit.ended(_stage(target, stage, seen, fragments, recorder))
            early.append(stage)
        return True

    seen = run(target, backend, goes_on=before_running)
    for stage in ROUTES["aot"]:
        if stage not in early:
            emit.ended(_stage(target, stage, seen, fragments, recorder))

    def replay() -> None:
        for stage, found in replays(seen, fragments, target, start).items():
            emit.added(Added(target.id, stage, replays=found))

    return (
        Later("forward", "cutting the joint graph otherwise", lambda: _cut_otherwise(target, fragments, options, emit)),
        Later("forward", "running its graphs again", replay),
    )


def _cut_otherwise(target: Loaded, fragments: Sequence[Fragment], options: Options, emit: Emit) -> None:
    other = WORDS[OTHER[options.partitioner]]
    for fragment in fragments:
        if fragment.joint is None or fragment.recording is None or "backward" not in fragment.graphs:
            continue
        try:
            fragment.recording.cut_otherwise()
        except Exception as error:  # it was not asked for: that it fails is worth a word, no more
            where = _in([str(fragment.index + 1)], len(fragments))
            words = f"the {other} fails on the joint graph{where}: {type(error).__name__}: {exception_text(error)}"
            emit.added(Added(target.id, "forward", notes=(words,)))
            continue
        title = f"{fragment_title(target, fragment.index, len(fragments))} ({other})"
        for stage, graphs in fragment.variants.items():
            titled = (msgspec.structs.replace(graph, title=title) if not graph.parent else graph for graph in graphs)
            emit.added(Added(target.id, stage, graphs=tuple(titled)))


def _stage(target: Loaded, stage: StageId, seen: Run, fragments: list[Fragment], recorder: Recorder) -> Stage:
    assert seen.heard is not None
    users = recorder.user_files
    stops = breaks(seen.reasons, seen.ends, seen.compiled, seen.heard, users)
    heard = seen.heard.notes(stops) if stage == "forward" else ()  # each warning once; forward ends last
    failures = [failure for fragment in fragments if (failure := _failure(stage, fragment, seen, recorder))]
    if seen.error is not None:
        failures.append(blame.failure_in(seen.error, users))
    ran = [_run_failure(f, recorder) for f in fragments if f.run_error is not None] if stage == "forward" else []
    graphs = [graph for fragment in fragments for graph in _titled(target, stage, fragment, len(fragments))]
    absent = _absent(stage, fragments)
    found = Stage(stage, "done", graphs=tuple(graphs), failures=(*failures, *ran), notes=(*absent, *heard))
    if failures:
        return msgspec.structs.replace(found, status="failed")
    if not fragments:
        reason = nothing_captured(stops, seen.heard, users)
        return msgspec.structs.replace(found, status="skipped", reason=reason)
    if not graphs:
        return msgspec.structs.replace(found, status="skipped", reason="; ".join(absent), notes=heard)
    return found


def _titled(target: Loaded, stage: StageId, fragment: Fragment, total: int) -> list[Graph]:
    graphs = fragment.graphs.get(stage, [])
    title = fragment_title(target, fragment.index, total) + (" (inference)" if graphs and graphs[0].inference else "")
    return [msgspec.structs.replace(graph, title=title) if not graph.parent else graph for graph in graphs]


def _absent(stage: StageId, fragments: list[Fragment]) -> list[str]:
    """Why fragments have no graph here although nothing failed: one sentence a reason."""
    if stage == "forward":
        return []
    inference = [f for f in fragments if f.graphs.get("forward") and f.graphs["forward"][0].inference]
    places: dict[str, list[str]] = {}
    for fragment in inference:
        places.setdefault(fragment.no_backward, []).append(str(fragment.index + 1))
    return [f"{why}{_in(numbers, len(fragments))}, so there is no backward" for why, numbers in places.items()]


def _in(numbers: list[str], total: int) -> str:
    if total == 1:
        return ""
    if len(numbers) == 1:
        return f" in fragment {numbers[0]}"
    return f" in fragments {', '.join(numbers[:-1])} and {numbers[-1]}"


def _failure(stage: StageId, fragment: Fragment, seen: Run, recorder: Recorder) -> Failure | None:
    """AOTAutograd's own failure on a fragment, in each stage that it leaves without the fragment's graph."""
    if fragment.error is None or stage in fragment.graphs:
        return None
    users = recorder.user_files
    how = f"AOTAutograd, fragment {fragment.index + 1} of {len(seen.ends)}"
    ends = seen.ends[fragment.index].user_stack
    return blame.traced_failure(blame.failure_in(fragment.error, users, how=how), fragment.anomaly, ends, users)


def _run_failure(fragment: Fragment, recorder: Recorder) -> Failure:
    assert fragment.run_error is not None
    users = recorder.user_files
    how = f"running the captured graph of fragment {fragment.index + 1}; the graph itself is complete"
    failure = blame.failure_in(fragment.run_error, users, how=how)
    return blame.run_failure(failure, fragment.run_error, [module.graph for module in fragment.ran], users)
