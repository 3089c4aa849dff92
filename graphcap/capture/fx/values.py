"""What a node computes (`node.meta`'s val, example_value or tensor_meta) as values of the document.

Total: a value that cannot be read (a script object, a tensor whose shape raises) becomes a `Scalar` that says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec.structs
import torch
import torch.fx
from torch.fx.passes.shape_prop import TensorMetadata

from graphcap.graph.document import Meta, Scalar, TensorMeta, Tuple

MAX_TEXT = 500  # of a value's printed text
MAX_DEPTH = 24  # graphcap.graph.check refuses 32
MAX_ITEMS = 4_096  # values of one node; split and unbind stay below

VALUE = "graphcap_value"
"""The key under which the eager route leaves a value it has described already: it keeps no tensors."""

_KEYS = ("val", "example_value", "tensor_meta")


def node_value(node: torch.fx.Node) -> Meta | None:
    """The value torch recorded for a node; None when it recorded none."""
    if VALUE in node.meta:
        described: Meta = node.meta[VALUE]
        return described
    for key in _KEYS:
        if key in node.meta:
            value = meta(node.meta[key])
            return _with_grad(value, node.meta.get("tensor_meta"))
    return None


def _with_grad(value: Meta, traced: Any) -> Meta:
    """export detaches its fake values; whether one required grad stands in tensor_meta only."""
    return with_grad(value) if getattr(traced, "requires_grad", False) else value


def with_storage(value: Meta | None, tensor: Any, index: int, known: dict[int, int]) -> Meta | None:
    """The same tensor with what an input's memory is beside its shape: an input may be a view of something larger, and two
    inputs of the same. `known`: storage -> index of the first input in it; the input at `index` is added.
    """
    if not isinstance(value, TensorMeta) or value.stride is None or not isinstance(tensor, torch.Tensor):
        return value
    try:
        storage = tensor.untyped_storage()
        first = known.setdefault(storage._cdata, index)
        held, own = storage.nbytes(), _reach(value) * tensor.element_size()
    except Exception:  # wrapped tensors have no storage, symbolic sizes no number
        return value
    larger = held if type(held) is int and held > own else None
    return msgspec.structs.replace(value, storage_bytes=larger, storage_of=first if first != index else None)


def _reach(value: TensorMeta) -> int:
    """Elements from the first to behind the last."""
    sizes = [(int(size), int(stride)) for size, stride in zip(value.shape, value.stride or (), strict=True)]
    return 1 + sum((size - 1) * stride for size, stride in sizes) if all(size for size, _ in sizes) else 0


def with_grad(value: Meta) -> Meta:
    """The same tensor, requiring grad; other values as they are."""
    return msgspec.structs.replace(value, requires_grad=True) if isinstance(value, TensorMeta) else value


def meta(value: Any, depth: int = 0) -> Meta:
    """Any value as torch holds it."""
    try:
        if isinstance(value, torch.Tensor):
            return _tensor(value)
        if isinstance(value, TensorMetadata):
            return _traced(value)
        if isinstance(value, list | tuple | dict):
            return _tuple(value, depth)
        return Scalar(type(value).__name__, safe_text(value))
    except Exception as error:  # a stranger's subclass may raise anything; one value must not lose the graph
        return Scalar(type(value).__name__, f"could not be read: {safe_text(error)}")


def _tuple(value: Any, depth: int) -> Meta:
    if isinstance(value, TensorMetadata):
        return _traced(value)
    items = list(value.values()) if isinstance(value, dict) else list(value)
    if depth >= MAX_DEPTH or len(items) > MAX_ITEMS:
        return Scalar(type(value).__name__, f"{len(items)} items")
    kind: Any = "list" if isinstance(value, list) else "tuple"
    return Tuple(kind, tuple(meta(item, depth + 1) for item in items))


def _tensor(value: torch.Tensor) -> TensorMeta:
    strided = value.layout is torch.strided
    return TensorMeta(
        dtype=_name(value.dtype),
        shape=dimensions(value.shape),
        stride=_stride(value) if strided else None,
        device=str(value.device),
        layout=_name(value.layout),
        requires_grad=bool(value.requires_grad),
    )


def _traced(value: TensorMetadata) -> TensorMeta:
    return TensorMeta(
        dtype=_name(value.dtype),
        shape=dimensions(value.shape),
        stride=dimensions(value.stride) if value.stride is not None else None,
        requires_grad=bool(value.requires_grad),
    )


def _stride(value: torch.Tensor) -> tuple[int | str, ...] | None:
    try:
        return dimensions(value.stride())
    except Exception:  # jagged and other wrapped tensors have none
        return None


def dimensions(sizes: Iterable[Any]) -> tuple[int | str, ...]:
    """Sizes or strides: ints as they are, symbolic ones as torch writes them."""
    return tuple(size if type(size) is int else safe_text(size) for size in sizes)


def _name(value: Any) -> str:
    return str(value).removeprefix("torch.")


def tensor_text(value: torch.Tensor) -> str:
    """A tensor constant in a word: its dtype and shape, never its data."""
    try:
        return f"{_name(value.dtype)}{list(value.shape)}"
    except Exception as error:
        return f"could not be read: {safe_text(error)}"


def safe_text(value: Any, limit: int = MAX_TEXT) -> str:
    """`str(value)`, cut at `limit`; never raises, whatever the value's own __str__ does."""
    try:
        text = str(value)
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    except Exception as error:
        return f"<{type(value).__name__} that cannot be printed: {type(error).__name__}>"
    return text if len(text) <= limit else text[:limit] + "..."
