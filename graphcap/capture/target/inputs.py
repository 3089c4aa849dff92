"""The arguments a target is called with, by the forward's own names, and the values inside them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from graphcap.capture.target.loaded import Loaded

MAX_DEPTH = 16  # of containers in arguments and outputs


def arguments(target: Loaded) -> list[tuple[str, Any]]:
    """The arguments under the parameters' names; `args_0` where the signature is not known or does not fit."""
    function = target.model.forward if isinstance(target.model, torch.nn.Module) else target.model
    try:
        return list(inspect.signature(function).bind(*target.args, **target.kwargs).arguments.items())
    except (TypeError, ValueError):
        return [(f"args_{i}", value) for i, value in enumerate(target.args)] + list(target.kwargs.items())


def named_leaves(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The values inside containers, dataclasses and registered pytrees, each with its path: `x`, `batch_ids`, `args_0`."""
    for key, item in _children(value) if depth < MAX_DEPTH else ():
        yield from named_leaves(f"{name}_{key}" if name else str(key), item, depth + 1)
    if not _is_container(value) or depth >= MAX_DEPTH:
        yield name, value


def _is_container(value: Any) -> bool:
    if isinstance(value, torch.Tensor | int | float | str | None):
        return False
    if isinstance(value, list | tuple | Mapping) or _fields(value) is not None:
        return True
    found = tree_leaves(value, is_leaf=lambda part: part is None)
    return len(found) != 1 or found[0] is not value


def _fields(value: Any) -> list[str] | None:
    return (
        list(value.__dataclass_fields__) if hasattr(value, "__dataclass_fields__") and not isinstance(value, type) else None
    )


def _children(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list | tuple):
        yield from enumerate(value)
    elif (fields := _fields(value)) is not None:
        yield from ((name, getattr(value, name, None)) for name in fields)
    elif _is_container(value):
        yield from enumerate(tree_leaves(value))
