"""Every tensor a target owns or is given, by identity, with the name a person would use for it.

Dynamo compiles nested functions as frames of their own, where `L['self']` is some inner module: only the tensor itself
still says that it is `layers.3.weight` of the whole model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import torch

from graphcap.capture.fx.statistics import Measured
from graphcap.capture.target.inputs import arguments, named_leaves
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Placeholder

MAX_DEPTH = 4  # of containers in attributes that are looked into: self.cache["k"][0], and a little deeper

Names = Mapping[int, tuple[Placeholder, ...]]
"""`id(tensor)` -> what it is; tied weights have several names, in the module's own order."""


def tensor_names(model: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Names:
    """Parameters, buffers, inputs, then tensors that are plain attributes of modules. A tensor is the first of these."""
    found: dict[int, tuple[Placeholder, ...]] = {}
    for group in (_parameters(model), _buffers(model), _inputs(model, args, kwargs), _attributes(model)):
        named: dict[int, list[Placeholder]] = {}
        for tensor, placeholder in group:
            named.setdefault(id(tensor), []).append(placeholder)
        for key, placeholders in named.items():
            found.setdefault(key, tuple(placeholders))
    return found


def named_tensors(target: Loaded) -> Named:
    """What a target starts from, each tensor once: parameters, buffers, inputs. Tied weights under their first name."""
    model = target.model
    return _once(_parameters(model), _buffers(model), _inputs(model, target.args, target.kwargs))


def all_tensors(target: Loaded) -> Named:
    """Every tensor that a call of the target may read or write, once."""
    model = target.model
    others = [*([target.second] if target.second is not None else []), *target.later]
    second = (pair for args, kwargs in others for pair in _inputs(model, args, kwargs))
    inputs = _inputs(model, target.args, target.kwargs)
    return _once(_parameters(model), _buffers(model), inputs, second, _attributes(model))


def measured_of(model: Any) -> Measured:
    """Statistics of the parameters and buffers of a module, tied ones counted once; of anything else none yet."""
    found = Measured()
    for group in (_parameters(model), _buffers(model)):
        for tensor, placeholder in group:
            found.see(placeholder, tensor)
    return found


Named = Iterator[tuple[torch.Tensor, Placeholder]]


def _once(*groups: Named) -> Named:
    seen: set[int] = set()
    for tensor, placeholder in chain(*groups):
        if id(tensor) not in seen:
            seen.add(id(tensor))
            yield tensor, placeholder


def _parameters(model: Any) -> Named:
    if isinstance(model, torch.nn.Module):
        for name, parameter in model.named_parameters(remove_duplicate=False):
            yield parameter, Placeholder("parameter", name)


def _buffers(model: Any) -> Named:
    if isinstance(model, torch.nn.Module):
        for path, module in model.named_modules(remove_duplicate=False):
            for name, buffer in module._buffers.items():
                if buffer is not None:
                    persistent = name not in module._non_persistent_buffers_set
                    yield buffer, Placeholder("buffer", f"{path}.{name}".lstrip("."), persistent=persistent)


def _inputs(model: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Named:
    for name, value in arguments(Loaded("", "", model, args, kwargs)):
        for path, leaf in named_leaves(name, value):
            if isinstance(leaf, torch.Tensor):
                yield leaf, Placeholder("input", path)


def _attributes(model: Any) -> Named:
    if isinstance(model, torch.nn.Module):
        for path, module in model.named_modules():
            for name, value in vars(module).items():
                if name not in ("_parameters", "_buffers", "_modules"):
                    for leaf, tensor in _leaves(f"{path}.{name}".lstrip("."), value):
                        own = isinstance(tensor, torch.nn.Parameter)
                        yield tensor, Placeholder("parameter" if own else "constant", leaf)


def _leaves(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, torch.Tensor]]:
    if isinstance(value, torch.Tensor):
        yield name, value
    elif depth < MAX_DEPTH and type(value) in (list, tuple, dict):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            if isinstance(key, str | int):
                yield from _leaves(f"{name}[{key!r}]", item, depth + 1)
