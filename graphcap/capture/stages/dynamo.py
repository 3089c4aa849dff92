"""Route `dynamo`: what Dynamo captures of one call of the target, fragment by fragment, with breaks and guards.

The backend runs each fragment as it is, so what follows a fragment sees what plain Python would have given it. A fragment
that nothing can follow is not run.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import msgspec
import torch.fx

from graphcap.capture.compile.blame import failure_in
from graphcap.capture.compile.breaks import breaks, given_up, nothing_captured
from graphcap.capture.compile.guards import guard_leaves, guards
from graphcap.capture.compile.running import Compiled, Run, call_again, compile_id, fragment_title, run
from graphcap.capture.compile.shapes import watching_shapes
from graphcap.capture.compile.sources import fragment_inputs
from graphcap.capture.failures import exception_text
from graphcap.capture.record import Recorder
from graphcap.capture.replay import stages as replays
from graphcap.capture.replay.start import Start
from graphcap.capture.stages.route import Emit, Later
from graphcap.capture.stages.second import HELD, SECOND_WORDS, Places, counted, recompiles, script_calls
from graphcap.capture.target.loaded import Arguments, Loaded
from graphcap.capture.target.tensors import tensor_names
from graphcap.graph.document import SECOND, Graph, Guard, Options, Stage
from graphcap.graph.stream import Added


def run_dynamo(target: Loaded, options: Options, recorder: Recorder, emit: Emit) -> Sequence[Later]:
    """Emits stage `dynamo`; later a replay, and what the second inputs make torch compile anew."""
    emit.started("dynamo")
    if target.missing:
        emit.ended(Stage("dynamo", "skipped", reason=target.missing))
        return ()
    work = _Work(target, recorder, Start(target))
    with watching_shapes(recorder.user_files) as shapes:
        work.seen = run(target, work.backend, goes_on=lambda seen: False)
    stage = msgspec.structs.replace(_stage(work), symbols=shapes.symbols(), constraints=shapes.constraints())
    emit.ended(stage)
    later = [Later("dynamo", "running its graphs again", lambda: work.replay(emit))]
    if work.others:
        later.append(Later("dynamo", "calling it with other inputs", lambda: work.call_others(emit, stage.guards)))
    return later


class _Work:
    """What Dynamo has compiled of a target so far. `fragments`: the graphs of each code, in the order of `Run.ends`."""

    seen: Run

    def __init__(self, target: Loaded, recorder: Recorder, start: Start) -> None:
        self.target, self.recorder, self.start = target, recorder, start
        self.fragments: list[list[Graph]] = []
        self.modules: list[torch.fx.GraphModule] = []
        self.places = Places()
        self.anew = False  # in the second call
        self._names = dict(tensor_names(target.model, target.args, target.kwargs))
        self.others = [(SECOND_WORDS, target.second)] if target.second is not None else script_calls(target.later)
        for _, (args, kwargs) in self.others:
            self._names = {**tensor_names(target.model, args, kwargs), **self._names}

    def backend(self, index: int, module: torch.fx.GraphModule, inputs: Sequence[Any]) -> Compiled:
        """Records the graph; runs it as it is."""
        place = self.places.of(compile_id(module), self.anew)
        variant = SECOND if self.anew and not place.recompile else ""
        self.modules.append(module)
        graphs = self.recorder.record(
            module,
            gid=self.target.gid("dynamo", place.fragment, variant, place.recompile),
            title="",
            fragment=place.fragment,
            variant=variant,
            recompile=place.recompile,
            placeholders=fragment_inputs(module, self._names, self.recorder.measured),
        )
        self.fragments.append(graphs)
        return module.forward

    def replay(self, emit: Emit) -> None:
        """The first call again, against eager PyTorch."""
        self._replay(emit, self.target, range(len(self.fragments)))

    def call_others(self, emit: Emit, known: Sequence[Guard]) -> None:
        """The second inputs of the form, or the script's own further calls in order."""
        self.anew = True
        guards = tuple(known)
        for words, (args, kwargs) in self.others:
            guards += self._call_other(emit, guards, words, (args, kwargs))

    def _call_other(self, emit: Emit, known: Sequence[Guard], words: str, inputs: Arguments) -> tuple[Guard, ...]:
        """Calls it once more; what was compiled anew is added, and run again too. Gives the guards of it."""
        first, users = len(self.fragments), self.recorder.user_files
        self.start.restore()
        args, kwargs = inputs
        notes: tuple[str, ...] = ()
        try:
            call_again(self.seen, args, kwargs, anew=True)
        except Exception as error:  # whatever the person's code raises for these inputs
            notes = (f"{words}: {type(error).__name__}: {exception_text(error)}",)
        if not notes and len(self.fragments) == first:
            notes = (f"{words}, {HELD}",)
        elif not notes and self.target.second is None:
            notes = (f"{words}, torch compiled {counted(len(self.fragments) - first)} anew",)
        more = _guards(self.seen, self.places, self.recorder, first)
        added = recompiles(self.seen, first, self.places, known, users)
        graphs = tuple(graph for graphs in self.fragments[first:] for graph in self._titled(graphs, first))
        emit.added(Added(self.target.id, "dynamo", graphs, notes=notes, guards=more, recompiles=added))
        if len(self.fragments) > first:
            called = dataclasses.replace(self.target, args=args, kwargs=kwargs)
            self._replay(emit, called, range(first, len(self.fragments)))
        return more

    def _titled(self, graphs: list[Graph], first: int) -> list[Graph]:
        own = graphs[0]
        other = "the second inputs" if self.target.second is not None else "a later call"
        if own.recompile:
            title = f"{fragment_title(self.target, own.fragment, first)} (compiled anew for {other})"
        else:
            title = f"fragment {own.fragment + 1} (of {other} only)"
        return [msgspec.structs.replace(own, title=title), *graphs[1:]]

    def _replay(self, emit: Emit, target: Loaded, codes: range) -> None:
        modules = {self.fragments[i][0].id: (i, self.modules[i]) for i in codes}
        if modules:
            found = replays.dynamo(self.seen, modules, replays.Eager(target, self.start, backward=True))
            emit.added(Added(target.id, "dynamo", replays=found))


def _stage(work: _Work) -> Stage:
    target, seen, fragments, recorder = work.target, work.seen, work.fragments, work.recorder
    assert seen.heard is not None
    users = recorder.user_files
    stops = breaks(seen.reasons, seen.ends, seen.compiled, seen.heard, users)
    stage = Stage(
        id="dynamo",
        status="done",
        graphs=tuple(graph for graphs in _titled(fragments, target) for graph in graphs),
        notes=seen.heard.notes(stops),
        breaks=stops,
        guards=_guards(seen, work.places, recorder),
    )
    if seen.error is not None:
        return msgspec.structs.replace(stage, status="failed", failures=(failure_in(seen.error, users),))
    if not fragments:
        return msgspec.structs.replace(stage, status="skipped", reason=nothing_captured(stops, seen.heard, users))
    return msgspec.structs.replace(stage, notes=(*given_up(seen.heard, users), *stage.notes))


def _guards(seen: Run, places: Places, recorder: Recorder, first: int = 0) -> tuple[Guard, ...]:
    """Of the codes compiled since there were `first`."""
    leaves = guard_leaves()
    found: list[Guard] = []
    for name in seen.compile_ids[first:]:
        place = places.by_compile_id[name]
        own = guards(place.fragment, seen.guards.get(name, ()), leaves.get(name, {}), recorder.user_files)
        found += [msgspec.structs.replace(guard, recompile=place.recompile) for guard in own]
    return tuple(found)


def _titled(fragments: list[list[Graph]], target: Loaded) -> list[list[Graph]]:
    """Each fragment's own graph says which of how many it is."""
    return [
        [msgspec.structs.replace(graphs[0], title=fragment_title(target, index, len(fragments))), *graphs[1:]]
        for index, graphs in enumerate(fragments)
    ]
