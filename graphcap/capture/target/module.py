"""What is called as the module that torch.export asks for: a function becomes the forward of one, so does a method."""

from __future__ import annotations

import copy
import inspect
import types
from typing import Any

import torch


def as_module(model: Any, args: tuple[Any, ...]) -> tuple[torch.nn.Module, tuple[Any, ...]]:
    """The module, and what it is called with by position: without the object whose method `model` is, as a method that was
    compiled in its class is called with it first.
    """
    if isinstance(model, torch.nn.Module):
        return model, args
    if not _is_method_of(model, args):
        return _module(model), args
    owner, *rest = args
    if isinstance(owner, torch.nn.Module):
        module = copy.copy(owner)  # with the same parameters under the same names, and this method called
        module.forward = types.MethodType(model, module)
        return module, tuple(rest)
    module = _module(model)
    module.forward = types.MethodType(model, owner)
    for name, value in vars(owner).items() if hasattr(owner, "__dict__") else ():
        if isinstance(value, torch.nn.Module | torch.nn.Parameter) and not hasattr(module, name):
            setattr(module, name, value)
    return module, tuple(rest)


def _is_method_of(model: Any, args: tuple[Any, ...]) -> bool:
    if not isinstance(model, types.FunctionType) or not args or isinstance(args[0], torch.Tensor):
        return False
    found = inspect.getattr_static(type(args[0]), model.__name__, None)
    return isinstance(found, types.FunctionType) and inspect.unwrap(found) is inspect.unwrap(model)


def _module(model: Any) -> torch.nn.Module:
    name = str(getattr(model, "__name__", type(model).__name__))
    module: torch.nn.Module = type(name, (torch.nn.Module,), {})()
    module.forward = model
    return module
