"""The state that a target is called in, so that it can be called in it again: tensors, attributes, random numbers.

A call may write into its inputs and buffers, count in an attribute, append to a list, draw random numbers. What is small is
copied beforehand; of what is not, torch's own counter of writes tells whether it was written to.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy
import torch

from graphcap.capture.target.loaded import Loaded
from graphcap.capture.target.tensors import all_tensors
from graphcap.graph.document import Placeholder

KEPT_BYTES = 64 << 20  # copied of buffers, inputs and attributes before the route runs: 10 ms
MAX_DEPTH = 3  # of containers in attributes


class NotRestored(Exception):
    """The state cannot be had again; the message says what is lost."""


class Start:
    """Taken when a target is loaded. Cheap: parameters are not copied."""

    def __init__(self, target: Loaded) -> None:
        self._model = model = target.model
        self._tensors: list[_Kept] = []
        room = KEPT_BYTES
        for tensor, placeholder in all_tensors(target):
            kept = _Kept(placeholder, tensor, room if placeholder.kind != "parameter" else -1)
            room -= kept.bytes
            self._tensors.append(kept)
        self._containers = [(held, _copy(held)) for held in _containers(model)]
        self._random = (torch.get_rng_state(), random.getstate(), numpy.random.get_state())

    def restore(self) -> None:
        """Puts everything back; raises NotRestored."""
        for held, copy in self._containers:
            if not _same(held, copy):
                _put_back(held, copy)
        for kept in self._tensors:
            kept.restore()
        self.restore_random()

    def written(self) -> dict[int, torch.Tensor]:
        """By `id`, copies of the tensors that were written to since they were last put back."""
        return {id(kept.tensor): kept.tensor.detach().clone() for kept in self._tensors if kept.was_written()}

    def replaced(self) -> dict[int, torch.Tensor]:
        """By `id` of a buffer, a copy of the tensor that was assigned in its place since."""
        found: dict[int, torch.Tensor] = {}
        current = dict(self._model.named_buffers()) if isinstance(self._model, torch.nn.Module) else {}
        for kept in self._tensors:
            now = current.get(kept.name, kept.tensor)
            if kept.is_buffer and now is not kept.tensor:
                found[id(kept.tensor)] = now.detach().clone()
        return found

    def restore_random(self) -> None:
        """The random state alone."""
        torch.set_rng_state(self._random[0])
        random.setstate(self._random[1])
        numpy.random.set_state(self._random[2])


class _Kept:
    """A tensor, and what it held where that fits into `room` bytes (-1: never kept)."""

    def __init__(self, placeholder: Placeholder, tensor: torch.Tensor, room: int) -> None:
        self.name, self.tensor = placeholder.name, tensor
        self.is_buffer = placeholder.kind == "buffer"
        self.bytes = 0
        self._form = _form(tensor)
        self._requires_grad = tensor.requires_grad
        self._version = version_of(tensor)
        self._copy: torch.Tensor | None = None
        with suppress(Exception):  # a stranger's subclass, or no memory: then it must not be written to
            size = tensor.numel() * tensor.element_size()
            if size <= room:
                self._copy, self.bytes = tensor.detach().clone(), size

    def restore(self) -> None:
        tensor = self.tensor
        if _form(tensor) != self._form:
            raise NotRestored(f"the call changes the shape of {self.name}, so it cannot be made a second time")
        if self.was_written():
            if self._copy is None:
                raise NotRestored(f"the call writes into {self.name}, which is too large to keep a copy of")
            with torch.no_grad():
                tensor.detach().copy_(self._copy)
            self._version = version_of(tensor)
        if tensor.is_leaf:
            tensor.grad = None
            if tensor.requires_grad != self._requires_grad:
                tensor.requires_grad_(self._requires_grad)

    def was_written(self) -> bool:
        """torch's counter says so, or the content: batch_norm writes its running statistics without counting."""
        if version_of(self.tensor) != self._version:
            return True
        return self._copy is not None and not is_same(self.tensor, self._copy)


def is_same(tensor: torch.Tensor, copy: torch.Tensor) -> bool:
    """To the last bit; True where torch cannot tell."""
    try:
        return bool(torch.equal(tensor.detach(), copy))
    except Exception:  # sparse and nested tensors
        return True


def _form(tensor: torch.Tensor) -> Any:
    try:
        return tuple(tensor.shape), tensor.stride() if tensor.layout is torch.strided else (), tensor.dtype
    except Exception:  # nested tensors have no stride, uninitialized parameters no shape
        return None


def version_of(tensor: torch.Tensor) -> int:
    """How often it was written to; -1 where torch does not count."""
    try:
        return int(tensor._version)
    except RuntimeError:  # tensors of inference mode do not count
        return -1


def _containers(model: Any) -> Iterator[Any]:
    """Every dict and list that a module's attributes are or hold."""
    seen: set[int] = set()
    for module in model.modules() if isinstance(model, torch.nn.Module) else ():
        pending: list[tuple[Any, int]] = [(vars(module), 0)]
        while pending:
            held, depth = pending.pop()
            if id(held) in seen or not isinstance(held, dict | list):
                continue
            seen.add(id(held))
            yield held
            if depth < MAX_DEPTH:
                pending.extend((part, depth + 1) for part in (held.values() if isinstance(held, dict) else held))


def _copy(held: Any) -> Any:
    return dict(held) if isinstance(held, dict) else list(held)


def _same(held: Any, copy: Any) -> bool:
    """The very same objects: comparing tensors would compute."""
    if len(held) != len(copy):
        return False
    if isinstance(held, dict):
        return all(key in held and held[key] is value for key, value in copy.items())
    return all(a is b for a, b in zip(held, copy, strict=True))


def _put_back(held: Any, copy: Any) -> None:
    add: Callable[[Any], object] = held.update if isinstance(held, dict) else held.extend
    held.clear()
    add(copy)
