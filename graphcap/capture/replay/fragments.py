"""The replays of all fragments that AOTAutograd made graphs of: each is done where the fragment is called, once more."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from graphcap.capture.compile.autograd import Fragment
from graphcap.capture.compile.running import Run, call_again
from graphcap.capture.failures import exception_text
from graphcap.capture.replay.budget import OutOfTime, limited
from graphcap.capture.replay.call import may_run
from graphcap.capture.replay.compare import NotCompared, Pair, compared, not_compared
from graphcap.capture.replay.fragment import Reference, Values, backward, forward_or_joint, run_eagerly, starts
from graphcap.capture.replay.graphs import as_recorded, replayed
from graphcap.capture.replay.stages import TOO_LONG
from graphcap.capture.replay.start import NotRestored, Start
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Graph, Replay, StageId
from graphcap.graph.stream import Replayed

AGAINST = "against the fragment's Dynamo graph run eagerly"


def replays(seen: Run, fragments: Sequence[Fragment], target: Loaded, start: Start) -> dict[StageId, tuple[Replayed, ...]]:
    """Of every graph of every fragment, by stage."""
    found: dict[str, Replay] = {}
    missing = _call(seen, fragments, target, start, found)
    by_stage: dict[StageId, tuple[Replayed, ...]] = {}
    for fragment in fragments:
        for stage, graph in _graphs(fragment):
            replay = found.get(graph.id, not_compared(missing))
            by_stage[stage] = (*by_stage.get(stage, ()), Replayed(graph.id, replay))
    return by_stage


def _graphs(fragment: Fragment) -> list[tuple[StageId, Graph]]:
    """Those that may be replayed: without bodies."""
    return [(stage, graphs[0]) for by_stage in (fragment.graphs, fragment.variants) for stage, graphs in by_stage.items()]


def _call(seen: Run, fragments: Sequence[Fragment], target: Loaded, start: Start, found: dict[str, Replay]) -> str:
    """Calls the compiled target, each fragment being checked as it is called; says why some may have been left out."""
    try:
        may_run(target)
        start.restore()
        for fragment in fragments:
            fragment.watched = functools.partial(_check, fragment, found)
        with limited():
            call_again(seen, target.args, target.kwargs)
    except OutOfTime:
        return TOO_LONG
    except (NotCompared, NotRestored) as reason:
        return str(reason)
    except Exception as error:  # the person's code, or a fragment that fails
        return f"the call ends before it, in {type(error).__name__}: {exception_text(error)}"
    finally:
        for fragment in fragments:
            fragment.watched = None
    return "it is not run when the same call is made again"


def _check(fragment: Fragment, found: dict[str, Replay], inputs: Sequence[Any]) -> None:
    """Fills in `found`, once for a fragment. Leaves the random state as it is."""
    fragment.watched = None
    state = torch.get_rng_state()

    def from_here(run: Callable[[], Any]) -> Any:
        torch.set_rng_state(state)
        return run()

    expected = _Expected(fragment, inputs, from_here)
    saved: dict[str, Values] = {}

    def run_of(stage: StageId, graph: Graph) -> Callable[[], Iterable[Pair]]:
        def run() -> Iterable[Pair]:
            reference = expected.reference
            module = as_recorded(_module(fragment, stage, graph.variant), graph.text)
            if stage == "backward":
                if graph.variant not in saved:
                    raise NotCompared("its forward graph was not run")
                values = saved[graph.variant]
                pairs: list[Pair] = from_here(lambda: backward(module, values, reference))
                return pairs
            pairs, kept = from_here(lambda: forward_or_joint(module, reference))
            if stage == "forward":
                saved[graph.variant] = kept
            return pairs

        return run

    for stage, graph in _graphs(fragment):
        graphs = _module(fragment, stage, graph.variant).modules()
        found[graph.id] = replayed(run_of(stage, graph), graphs, expected, AGAINST)
    torch.set_rng_state(state)


class _Expected:
    """The fragment run eagerly, when it is first asked for."""

    def __init__(self, fragment: Fragment, inputs: Sequence[Any], from_here: Callable[[Callable[[], Any]], Any]) -> None:
        self._fragment, self._inputs, self._from_here = fragment, inputs, from_here

    @functools.cached_property
    def reference(self) -> Reference:
        """Raises NotCompared."""
        return self._run()

    def _run(self) -> Reference:
        fragment, inputs = self._fragment, self._inputs
        names = [placeholder.name for placeholder in fragment.inputs]
        wanted = starts(fragment.joint.graph) if fragment.joint is not None else frozenset()
        found: Reference = self._from_here(lambda: run_eagerly(fragment.module, inputs, names, wanted))
        return found

    def drew(self) -> bool:
        return self.reference.drew

    def steady(self) -> bool:
        return compared(_apart(self._run(), self.reference)).max_abs == 0


def _module(fragment: Fragment, stage: StageId, variant: str) -> torch.fx.GraphModule:
    if stage == "joint":
        assert fragment.joint is not None
        return fragment.joint.module()
    if variant in fragment.halves:
        return fragment.halves[variant][0 if stage == "forward" else 1]
    return fragment.ran[0]


def _apart(again: Reference, first: Reference) -> list[Pair]:
    """Two runs of the same."""
    outputs = [Pair(f"output {i}", *both) for i, both in enumerate(zip(again.outputs, first.outputs, strict=True))]
    gradients = [Pair(f"gradient {i}", again.gradient(i), first.gradient(i), gradient=True) for i in first.gradients]
    return outputs + gradients
