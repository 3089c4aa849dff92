"""Which nn.Modules are being called now, by hooks on every module."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
import torch.fx
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

Stack = dict[str, tuple[str, str]]


class ModuleStack:
    """The modules of `model` that are running, outermost first, as `nn_module_stack` has them."""

    def __init__(self, model: Any) -> None:
        modules = list(model.named_modules()) if isinstance(model, torch.nn.Module) else []
        self._paths = {id(module): path for path, module in modules}
        self._owners = {id(p): (path, m) for path, m in modules for p in m._parameters.values() if p is not None}
        self._running: list[tuple[str, str, str]] = []

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """While it is open, `current` follows the calls."""
        before = register_module_forward_pre_hook(self._enter)
        after = register_module_forward_hook(self._leave, always_call=True)
        try:
            yield
        finally:
            before.remove()
            after.remove()

    def _enter(self, module: torch.nn.Module, args: Any) -> None:
        if torch.compiler.is_compiling() or isinstance(module, torch.fx.GraphModule):
            return  # torch.cond has Dynamo trace its branches, even here, and refuses to see us take notes
        name = type(module).__qualname__
        path = self._paths.get(id(module))
        if path is None:  # made inside a forward, or owned by a function: known by its class only
            path = ".".join(filter(None, (self._running[-1][1] if self._running else "", name)))
        self._running.append((str(id(module)), path, name))

    def _leave(self, module: torch.nn.Module, args: Any, output: Any) -> None:
        if torch.compiler.is_compiling():
            return
        if self._running and self._running[-1][0] == str(id(module)):
            self._running.pop()

    def current(self) -> Stack:
        """The modules running now."""
        return {key: (path, cls) for key, path, cls in self._running}

    def of_variable(self, variable: Any) -> Stack:
        """The module that owns a parameter: where the backward puts a gradient down."""
        owner = self._owners.get(id(variable))
        return {str(id(owner[1])): (owner[0], type(owner[1]).__qualname__)} if owner else {}
