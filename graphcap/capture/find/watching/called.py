"""Modules that a script itself calls, as eager training and inference do: they are taken where it exports and compiles
nothing."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import torch
import torch.fx
import torch.nn.modules.module as module_hooks
from torch._C._functorch import is_functorch_wrapped_tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._pytree import tree_leaves, tree_map_only

from graphcap.capture.find.watching.calls import FORWARD, MAX_CALLS, Recorded, Watch, calling_frame

_CALL = ("_wrapped_call_impl", module_hooks.__file__)
"""The function that is on the stack once for each module whose call is running."""


@contextlib.contextmanager
def noting_modules(watch: Watch) -> Iterator[None]:
    """The first call of each module that no other module calls is noted, until something is exported or compiled."""
    if not watch.eager:
        yield
        return
    seen: dict[int, Any] = {}  # what was seen stays alive, so that its id stays its own

    def note(module: torch.nn.Module, args: Any, kwargs: Any, _output: Any) -> None:
        if id(module) in seen or len(seen) >= MAX_CALLS or not _outermost(sys._getframe(1)):
            return
        if any(map(_is_traced, tree_leaves((args, kwargs)))):
            return
        seen[id(module)] = module
        frame = calling_frame(watch.users)
        if watch.eager and frame is not None:
            args, kwargs = tree_map_only(torch.Tensor, _leaf, (args, kwargs))
            modes = tuple((each, each.training) for each in module.modules())
            watch.note_module(Recorded(FORWARD, module, args, kwargs, {}, frame, training=modes))

    # after a call, so that one that fails is told as the failure that it is
    handle = module_hooks.register_module_forward_hook(note, with_kwargs=True)

    def end() -> None:
        handle.remove()
        # torch forgets this one, and would go on as if there were a hook, in every module's call and in Dynamo
        module_hooks._global_forward_hooks_with_kwargs.pop(handle.id, None)

    watch.when_compiling = end  # Dynamo would trace the hook
    try:
        yield
    finally:
        end()


def _outermost(frame: FrameType | None) -> bool:
    """Whether one module's call is running, and no other's around it."""
    running = 0
    while frame is not None and running < 2:
        running += (frame.f_code.co_name, frame.f_code.co_filename) == _CALL
        frame = frame.f_back
    return running == 1


def _is_traced(value: Any) -> bool:
    """Stands for other values, as under vmap and in a fake mode: nobody else can be called with it."""
    wrapped = isinstance(value, torch.Tensor) and is_functorch_wrapped_tensor(value)
    return wrapped or isinstance(value, FakeTensor | torch.fx.Proxy)


def _leaf(tensor: torch.Tensor) -> torch.Tensor:
    """What the graph that made it is no part of."""
    return tensor if tensor.is_leaf else tensor.detach().requires_grad_(tensor.requires_grad)


def with_parameters(called: tuple[Recorded, ...]) -> tuple[Recorded, ...]:
    """Without losses and metrics, unless there is nothing else."""
    return tuple(call for call in called if next(call.model.parameters(), None) is not None) or called
