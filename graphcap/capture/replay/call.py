"""One call of a target with a backward from ones, and all that it leaves behind: what both sides of a comparison are."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from graphcap.capture.failures import exception_text
from graphcap.capture.replay.compare import NotCompared, Pair
from graphcap.capture.replay.start import NotRestored, Start
from graphcap.capture.target.inputs import named_leaves
from graphcap.capture.target.loaded import Loaded
from graphcap.capture.target.tensors import all_tensors

MAX_BYTES = 512 << 20  # of parameters, buffers and inputs: gradients and copies take the same again

TWICE = "backward through the graph a second time"
"""As autograd says it. What the code went through itself is not always seen by its gradients: a script's function can use
a model that is none of its arguments."""


@dataclasses.dataclass(frozen=True)
class Called:
    """What a call gave. Tensors are detached copies; tensors of the target are known by `id`."""

    outputs: tuple[tuple[str, Any], ...]  # the values in what it returned, by their paths: "", "logits", "0_1"
    leaves: tuple[Any, ...]  # the same as torch's pytree has them
    gradients: Mapping[int, torch.Tensor]
    written: Mapping[int, torch.Tensor]
    replaced: Mapping[int, torch.Tensor]  # buffers that another tensor was assigned to
    drew: bool = False  # random numbers


def may_run(target: Loaded) -> None:
    """Raises NotCompared where running the target a second time makes no sense."""
    if target.missing:
        raise NotCompared(target.missing)
    tensors = [tensor for tensor, _ in all_tensors(target)]
    if any(tensor.is_meta for tensor in tensors):
        raise NotCompared("the model's tensors are on the meta device: they have no data")
    size = sum(_size(tensor) for tensor in tensors)
    if size > MAX_BYTES:
        limit = f"the {MAX_BYTES >> 20} MiB that are run again"
        raise NotCompared(f"the model's tensors take {size >> 20} MiB, more than {limit}")


def _size(tensor: torch.Tensor) -> int:
    try:
        return tensor.numel() * tensor.element_size()
    except Exception:  # nested tensors and a stranger's subclasses
        return 0


def call(function: Callable[..., Any], target: Loaded, start: Start, backward: bool = True) -> Called:
    """Calls `function` as the target is called, from its first state. Raises NotCompared, or what the call raises."""
    try:
        start.restore()
    except NotRestored as lost:
        raise NotCompared(str(lost)) from None
    tensors = [tensor for tensor, _ in all_tensors(target)]
    before = torch.get_rng_state()
    returned = function(*target.args, **dict(target.kwargs))
    outputs = list(named_leaves("", returned))
    kept = {id(value): copy_of(value) for _, value in outputs}
    written, replaced = start.written(), start.replaced()
    drew = not torch.equal(torch.get_rng_state(), before)
    if backward and not any(tensor.is_leaf and tensor.grad is not None for tensor in tensors):
        _backward([value for _, value in outputs])  # else the code went backward itself, and what it went through is gone
    gradients = {id(tensor): tensor.grad for tensor in tensors if tensor.is_leaf and tensor.grad is not None}
    for tensor in tensors:
        if tensor.is_leaf:
            tensor.grad = None
    return Called(
        outputs=tuple((name, kept[id(value)]) for name, value in outputs),
        leaves=tuple(kept.get(id(leaf), leaf) for leaf in tree_leaves(returned)),
        gradients=gradients,
        written=written,
        replaced=replaced,
        drew=drew,
    )


def eager_call(target: Loaded, start: Start, backward: bool = True) -> Called:
    """The target's own call. Raises NotCompared, also for what the person's code raises."""
    try:
        return call(target.model, target, start, backward)
    except Exception as error:
        words = exception_text(error)
        if TWICE in words:
            raise NotCompared("the code goes backward itself: there is no second backward from its outputs") from None
        raise NotCompared(f"eager PyTorch itself fails: {type(error).__name__}: {words}") from None


def _backward(outputs: list[Any]) -> None:
    wanted = [value for value in outputs if isinstance(value, torch.Tensor) and value.requires_grad]
    if wanted:
        torch.autograd.backward(wanted, [torch.ones_like(value) for value in wanted])


def copy_of(value: Any) -> Any:
    """A tensor as it is now; anything else itself."""
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def pairs(ours: Called, eager: Called, target: Loaded, start: Start) -> Iterator[Pair]:
    """Outputs in order, then what was written, then gradients. Raises NotCompared where there are more or fewer outputs."""
    start.restore()
    if len(ours.outputs) != len(eager.outputs):
        raise NotCompared(f"eager PyTorch returns {len(eager.outputs)} values, this {len(ours.outputs)}")
    for i, ((_, a), (path, b)) in enumerate(zip(ours.outputs, eager.outputs, strict=True)):
        yield Pair(f"output {path or i}", a, b)
    names = {id(tensor): placeholder.name for tensor, placeholder in all_tensors(target)}
    live = {id(tensor): tensor for tensor, _ in all_tensors(target)}
    ours_after, eager_after = {**ours.written, **ours.replaced}, {**eager.written, **eager.replaced}
    for key in ours_after.keys() | eager_after.keys():
        unwritten = live[key].detach()
        yield Pair(f"{names[key]} after the call", ours_after.get(key, unwritten), eager_after.get(key, unwritten))
    for key in ours.gradients.keys() | eager.gradients.keys():
        zero = torch.zeros_like(live[key])
        name = f"gradient of {names[key]}"
        yield Pair(name, ours.gradients.get(key, zero), eager.gradients.get(key, zero), gradient=True)
