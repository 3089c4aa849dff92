"""Route `dynamo`: what Dynamo captures of one call of the target, fragment by fragment, with breaks and guards.

The backend runs each fragment as it is, so what follows a fragment sees what plain Python would have given it. A fragment
that nothing can follow is not run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import torch.fx

from graphcap.capture.compile.blame import failure_in
from graphcap.capture.compile.breaks import breaks, given_up, nothing_captured
from graphcap.capture.compile.guards import guard_leaves, guards
from graphcap.capture.compile.running import Compiled, Run, fragment_title, run
from graphcap.capture.compile.sources import fragment_inputs
from graphcap.capture.compile.tensors import tensor_names
from graphcap.capture.record import Recorder
from graphcap.capture.stages.route import Emit, Loaded
from graphcap.graph.document import Graph, Guard, Options, Stage


def run_dynamo(target: Loaded, options: Options, recorder: Recorder, emit: Emit) -> None:
    """Emits stage `dynamo`."""
    emit.started("dynamo")
    if target.missing:
        emit.ended(Stage("dynamo", "skipped", reason=target.missing))
        return
    names = tensor_names(target.model, target.args, target.kwargs)
    fragments: list[list[Graph]] = []

    def backend(index: int, module: torch.fx.GraphModule, inputs: Sequence[Any]) -> Compiled:
        inputs_of = fragment_inputs(module, names)
        gid = target.gid("dynamo", index)
        fragments.append(recorder.record(module, gid=gid, title="", fragment=index, placeholders=inputs_of))
        return module.forward

    emit.ended(_stage(target, run(target, backend, goes_on=lambda seen: False), fragments, recorder))


def _stage(target: Loaded, seen: Run, fragments: list[list[Graph]], recorder: Recorder) -> Stage:
    assert seen.heard is not None
    users = recorder.user_files
    stops = breaks(seen.reasons, seen.ends, seen.compiled, seen.heard, users)
    stage = Stage(
        id="dynamo",
        status="done",
        graphs=tuple(graph for graphs in _titled(fragments, target) for graph in graphs),
        notes=seen.heard.notes(stops),
        breaks=stops,
        guards=_guards(seen, recorder),
    )
    if seen.error is not None:
        return msgspec.structs.replace(stage, status="failed", failures=(failure_in(seen.error, users),))
    if not fragments:
        return msgspec.structs.replace(stage, status="skipped", reason=nothing_captured(stops, seen.heard, users))
    return msgspec.structs.replace(stage, notes=(*given_up(seen.heard, users), *stage.notes))


def _guards(seen: Run, recorder: Recorder) -> tuple[Guard, ...]:
    leaves = guard_leaves()
    return tuple(
        guard
        for index, compile_id in enumerate(seen.compile_ids)
        for guard in guards(index, seen.guards.get(compile_id, ()), leaves.get(compile_id, {}), recorder.user_files)
    )


def _titled(fragments: list[list[Graph]], target: Loaded) -> list[list[Graph]]:
    """Each fragment's own graph says which of how many it is."""
    return [
        [msgspec.structs.replace(graphs[0], title=fragment_title(target, index, len(fragments))), *graphs[1:]]
        for index, graphs in enumerate(fragments)
    ]
