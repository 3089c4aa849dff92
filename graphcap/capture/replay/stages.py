"""The replays of the stages whose graphs are a whole call: eager, dynamo, export and core_aten."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
import torch.fx
from torch.export.graph_signature import OutputKind

from graphcap.capture.compile.running import Run, call_again
from graphcap.capture.replay.budget import SECONDS, OutOfTime, limited
from graphcap.capture.replay.call import Called, call, copy_of, eager_call, may_run, pairs
from graphcap.capture.replay.compare import NotCompared, Pair, compared, not_compared
from graphcap.capture.replay.graphs import replayed, run_graph
from graphcap.capture.replay.start import Start
from graphcap.capture.target.loaded import Loaded
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

    def drew(self) -> bool:
        """Whether the call draws random numbers."""
        return self.called.drew

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
        if gone := [node.target for node in graph.find_nodes(op="get_attr") if not hasattr(root, str(node.target))]:
            raise NotCompared(f"it reads {len(gone)} large tensors that are none of the model's, and that were not kept")
        values = [tensor.detach() for tensor in tensors]
        returned = [copy_of(value) for value in run_graph(torch.fx.GraphModule(root, graph), values)]
        count = len(expected.outputs)
        written = eager.start.written()
        owners = [id(tensor) for tensor in tensors if id(tensor) in expected.gradients]
        gradients = dict(zip(owners, returned[count:], strict=True))
        outputs = tuple(zip((name for name, _ in expected.outputs), returned[:count], strict=True))
        ours = Called(outputs, (), gradients, written, expected.replaced)  # an assignment is no call of ATen
        return pairs(ours, expected, eager.target, eager.start)

    return replayed(run, [graph], eager)


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
    whole = replayed(run, parts, eager, together)
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
        returned = [copy_of(value) for value in run_graph(exported.graph_module, detached)]
        written = eager.start.written()
        eager.start.restore()
        return _program_pairs(exported, values, returned, expected, written)

    return replayed(run, exported.graph_module.modules(), eager)


def _program_pairs(
    exported: torch.export.ExportedProgram,
    values: Sequence[Any],
    returned: Sequence[Any],
    eager: Called,
    written: Mapping[int, torch.Tensor],
) -> list[Pair]:
    """Outputs; then what the program returns for what it does not write itself; then what it does write."""
    specs = exported.graph_signature.output_specs
    user = [value for spec, value in zip(specs, returned, strict=True) if spec.kind is OutputKind.USER_OUTPUT]
    if len(user) != len(eager.leaves):
        raise NotCompared(f"eager PyTorch returns {len(eager.leaves)} values, this {len(user)}")
    eager_after = {**eager.written, **eager.replaced}
    found = [Pair(f"output {i}", *both) for i, both in enumerate(zip(user, eager.leaves, strict=True))]
    names = {
        spec.target or spec.arg.name: value for spec, value in zip(exported.graph_signature.input_specs, values, strict=True)
    }
    tensors = {name: value for name, value in names.items() if isinstance(value, torch.Tensor)}
    after = {id(tensor): written.get(id(tensor), tensor.detach()) for tensor in tensors.values()}
    for spec, value in zip(specs, returned, strict=True):
        if spec.kind in _WRITTEN and spec.target in tensors:
            after[id(tensors[spec.target])] = value
    for name, tensor in tensors.items():
        if after[id(tensor)] is not None and (id(tensor) in eager_after or id(tensor) in written):
            found.append(Pair(f"{name} after the call", after[id(tensor)], eager_after.get(id(tensor), tensor.detach())))
    return found


_WRITTEN = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION, OutputKind.USER_INPUT_MUTATION)
