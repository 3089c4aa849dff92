"""Route `eager`: the ATen calls that plain PyTorch makes in a forward and a backward, as a graph.

The backward starts from ones for every output that requires grad, as `loss.backward()` does for its one loss.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec.structs
import torch

from graphcap.capture.eager.calls import AtenCalls
from graphcap.capture.eager.modules import ModuleStack
from graphcap.capture.eager.stacks import Stacks
from graphcap.capture.failures import failure_of
from graphcap.capture.record import Recorder
from graphcap.capture.replay import stages as replays
from graphcap.capture.replay.start import Start
from graphcap.capture.stages.route import Emit, Later
from graphcap.capture.target.inputs import named_leaves
from graphcap.capture.target.loaded import Loaded
from graphcap.capture.target.tensors import named_tensors, tensor_names
from graphcap.graph.document import Failure, Options, Output, Placeholder, Stage
from graphcap.graph.stream import Added

NO_BACKWARD = "nothing requires grad, so there is no backward"
OWN_BACKWARD = "the code runs a backward itself, so no other follows"
_PREFIX = {"parameter": "p_", "buffer": "b_"}


def run_eager(target: Loaded, options: Options, recorder: Recorder, emit: Emit) -> Sequence[Later]:
    """Emits `eager`; later a replay. A failure in the forward or the backward keeps the calls made until then."""
    emit.started("eager")
    if target.missing:
        emit.ended(Stage("eager", "skipped", reason=target.missing))
        return ()
    start = Start(target)
    modules = ModuleStack(target.model)
    calls = AtenCalls(Stacks(recorder.user_files), modules, tensor_names(target.model, target.args, target.kwargs))
    given, inputs = _inputs(calls, target)
    outputs: list[Any] = []
    failures: list[Failure] = []
    notes: list[str] = []
    try:
        with modules.watching(), calls, own_backward(calls) as own:
            outputs = [leaf for _, leaf in named_leaves("", target.model(*target.args, **dict(target.kwargs)))]
            if own:
                notes.append(OWN_BACKWARD)
            elif not _backward(calls, outputs):
                notes.append(NO_BACKWARD)
    except BaseException as error:  # whatever the person's forward raises
        part = "backward" if calls.backward else "forward"
        failures.append(failure_of(error, recorder.user_files, part))
    gradients = [(tensor.grad, name) for tensor, name in inputs if _has_grad(tensor)]
    returns = [Output("user_output") for _ in outputs] + [Output("gradient", None, name) for _, name in gradients]
    graph = calls.finish([*outputs, *(gradient for gradient, _ in gradients)])
    if calls.lost:
        notes.append(f"{calls.lost} calls could not be written down")
    given |= calls.constants
    graphs = recorder.record(graph, gid=target.gid("eager"), title=target.title, placeholders=given, returns=returns)
    stage = Stage("eager", "failed" if failures else "done", graphs=tuple(graphs))
    emit.ended(msgspec.structs.replace(stage, failures=tuple(failures), notes=tuple(notes)))
    if failures or calls.lost:
        return ()

    def replay() -> None:
        eager = replays.Eager(target, start, backward=True)
        tensors = [tensor for tensor, _ in inputs]
        gid = graphs[0].id
        found = replays.each_in_time({gid: lambda: replays.eager_graph(graph, tensors, calls.root(), eager)})
        emit.added(Added(target.id, "eager", replays=found))

    return (Later("eager", "running its graph again", replay),)


def _inputs(calls: AtenCalls, target: Loaded) -> tuple[dict[str, Placeholder], list[tuple[torch.Tensor, str]]]:
    """Placeholders as export makes them: parameters, buffers, then inputs. Tied weights are one."""
    found: dict[str, Placeholder] = {}
    tensors: list[tuple[torch.Tensor, str]] = []
    for tensor, placeholder in named_tensors(target):
        name = _PREFIX.get(placeholder.kind, "") + re.sub(r"\W+", "_", placeholder.name).strip("_")
        node = calls.placeholder(name if name[:1].isalpha() else f"arg_{name}", tensor)
        if tensor.is_leaf and tensor.requires_grad:
            tensor.grad = None  # left over from what the script did before
        found[node.name] = placeholder
        tensors.append((tensor, placeholder.name))
    return found, tensors


def _backward(calls: AtenCalls, outputs: list[Any]) -> bool:
    """Runs it; False when no output requires grad."""
    wanted = [value for value in outputs if isinstance(value, torch.Tensor) and value.requires_grad]
    if not wanted:
        return False
    calls.backward = True
    torch.autograd.backward(wanted, [torch.ones_like(value) for value in wanted])
    return True


@contextlib.contextmanager
def own_backward(calls: AtenCalls) -> Iterator[list[bool]]:
    """While it is open, a backward that the person's code runs (a training step) is known as one; one item for each."""
    original = torch.autograd.backward
    seen: list[bool] = []

    @functools.wraps(original)
    def backward(*args: Any, **kwargs: Any) -> None:
        seen.append(True)
        before, calls.backward = calls.backward, True
        try:
            original(*args, **kwargs)
        finally:
            calls.backward = before

    torch.autograd.backward = backward
    try:
        yield seen
    finally:
        torch.autograd.backward = original


def _has_grad(tensor: torch.Tensor) -> bool:
    return tensor.is_leaf and tensor.grad is not None
