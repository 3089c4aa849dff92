"""The replays of the stages whose graphs are a whole call: eager, dynamo, export and core_aten."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
import torch.fx
from torch.export.graph_signature import OutputKind

from graphcap.capture.compile.running import Run, call_again
from graphcap.capture.replay.budget import SECONDS, OutOfTime, limited
from graphcap.capture.replay.call import Called, call, eager_call, may_run, pairs
from graphcap.capture.replay.compare import NotCompared, Pair, compared, not_compared
from graphcap.capture.replay.graphs import random_ops, replayed, run_graph
from graphcap.capture.replay.start import Start, version_of
from graphcap.capture.stages.route import Loaded
from graphcap.graph.document import Replay
from graphcap.graph.stream import Replayed

TOO_LONG = f"it took more than {SECONDS:g} s of processor time"


class Eager:
    """What eager PyTorch gives, asked when it is first needed."""

    def __init__(self, target: Loaded, start: Start, backward: bool) -> None:
        self.target, self.start, self.backward = target, start, backward

    @functools.cached_property
    def called(self) -> Called:
        """The target's own call. Raises NotCompared."""
        may_run(self.target)
        return eager_call(self.target, self.start, self.backward)

    def steady(self) -> bool:
        """Whether a second call gives the same to the last bit."""
        again = eager_call(self.target, self.start, self.backward)
        return compared(pairs(again, self.called, self.target, self.start)).max_abs == 0


def each_in_time(checks: Mapping[str, Callable[[], Replay]]) -> tuple[Replayed, ...]:
    """GID -> its check, done in order while there is time."""
    found: dict[str, Replay] = {}
    try:
        with limited():
            for gid, check in checks.items():
                found[gid] = check()
    except OutOfTime:
        pass
    return tuple(Replayed(gid, found.get(gid, not_compared(TOO_LONG))) for gid in checks)


def eager_graph(graph: torch.fx.Graph, tensors: Sequence[torch.Tensor], root: torch.nn.Module, eager: Eager) -> Replay:
    """The ATen calls of forward and backward. `tensors`: what the placeholders stand for; gradients are returned last."""

    def run() -> Iterable[Pair]:
        expected = eager.called
        eager.start.restore()
        versions = [version_of(tensor) for tensor in tensors]
        returned = run_graph(torch.fx.GraphModule(root, graph), [tensor.detach() for tensor in tensors])
        count = len(expected.outputs)
        written = {
            id(t): t.detach().clone() for t, version in zip(tensors, versions, strict=True) if version_of(t) != version
        }
        owners = [id(tensor) for tensor in tensors if id(tensor) in expected.gradients]
        gradients = dict(zip(owners, returned[count:], strict=True))
        outputs = tuple(zip((name for name, _ in expected.outputs), returned[:count], strict=True))
        return pairs(Called(outputs, (), gradients, written), expected, eager.target, eager.start)

    return replayed(run, random_ops([graph]), eager.steady)


def dynamo_fragments(seen: Run, modules: Mapping[str, tuple[int, torch.fx.GraphModule]], eager: Eager) -> dict[str, Replay]:
    """All fragments together, with the Python between them: what they give is the target's own result.

    `modules`: GID -> the fragment's number among all that were compiled, and its graph.
    """

    def run() -> Iterable[Pair]:
        expected = eager.called
        if seen.error is not None:
            raise NotCompared(f"the compiled call fails: {type(seen.error).__name__}")
        ours = call(lambda *args, **kwargs: call_again(seen, args, kwargs), eager.target, eager.start, eager.backward)
        if not seen.executed:
            raise NotCompared("torch would compile the target anew for a second call of the same")
        return pairs(ours, expected, eager.target, eager.start)

    parts = [part for _, module in modules.values() for part in module.modules()]
    together = f"all {len(modules)} fragments run together" if len(modules) > 1 else ""
    whole = replayed(run, random_ops(parts), eager.steady, together)
    left_out = not_compared("it is not run when the same call is made again")
    return {
        gid: whole if index in seen.executed or whole.status != "compared" else left_out
        for gid, (index, _) in modules.items()
    }


def dynamo(seen: Run, modules: Mapping[str, tuple[int, torch.fx.GraphModule]], eager: Eager) -> tuple[Replayed, ...]:
    """The same in time."""
    try:
        with limited():
            found = dynamo_fragments(seen, modules, eager)
    except OutOfTime:
        found = {gid: not_compared(TOO_LONG) for gid in modules}
    return tuple(Replayed(gid, replay) for gid, replay in found.items())


def programs(exported: Mapping[str, torch.export.ExportedProgram], eager: Eager) -> tuple[Replayed, ...]:
    """GID -> its program; those that there is time for."""
    return each_in_time({gid: functools.partial(program, each, eager) for gid, each in exported.items()})


def program(exported: torch.export.ExportedProgram, eager: Eager) -> Replay:
    """The forward of an exported program."""

    def run() -> Iterable[Pair]:
        expected, target = eager.called, eager.target
        eager.start.restore()
        values = exported._graph_module_flat_inputs(target.args, dict(target.kwargs))
        detached = [value.detach() if isinstance(value, torch.Tensor) else value for value in values]
        returned = run_graph(exported.graph_module, detached)
        return list(_program_pairs(exported, values, returned, expected))

    return replayed(run, random_ops(exported.graph_module.modules()), eager.steady)


def _program_pairs(
    exported: torch.export.ExportedProgram, values: Sequence[Any], returned: Sequence[Any], eager: Called
) -> Iterator[Pair]:
    specs = exported.graph_signature.output_specs
    user = [value for spec, value in zip(specs, returned, strict=True) if spec.kind is OutputKind.USER_OUTPUT]
    if len(user) != len(eager.leaves):
        raise NotCompared(f"eager PyTorch returns {len(eager.leaves)} values, this {len(user)}")
    for i, (a, b) in enumerate(zip(user, eager.leaves, strict=True)):
        yield Pair(f"output {i}", a, b)
    given = {spec.arg.name: value for spec, value in zip(exported.graph_signature.input_specs, values, strict=True)}
    owned = {spec.target: given[spec.arg.name] for spec in exported.graph_signature.input_specs if spec.target}
    for spec, value in zip(specs, returned, strict=True):
        tensor = owned.get(spec.target) if spec.target in owned else given.get(spec.target or "")
        if spec.kind in _WRITTEN and isinstance(tensor, torch.Tensor):
            yield Pair(f"{spec.target} after the call", value, eager.written.get(id(tensor), tensor.detach()))


_WRITTEN = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION, OutputKind.USER_INPUT_MUTATION)
