"""Tensors known by their memory: `x.data` and a saved output are new objects over the same storage."""

from __future__ import annotations

from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef

Key = tuple[int, int, tuple[int, ...], tuple[int, ...], torch.dtype]


class Aliases:
    """The node that last wrote each (storage, offset, shape, stride, dtype). Storages are held weakly."""

    def __init__(self) -> None:
        self._nodes: dict[Key, tuple[StorageWeakRef, Any]] = {}

    def add(self, tensor: torch.Tensor, node: Any) -> None:
        """`tensor` is what `node` made."""
        storage = _storage(tensor)
        if storage is not None:
            self._nodes[_key(storage, tensor)] = (StorageWeakRef(storage), node)  # type: ignore[no-untyped-call]

    def find(self, tensor: torch.Tensor) -> Any:
        """The node of a tensor over the same memory; None when there is none, or its memory was given back since."""
        storage = _storage(tensor)
        if storage is None:
            return None
        reference, node = self._nodes.get(_key(storage, tensor), (None, None))
        if reference is None or reference.expired():  # type: ignore[no-untyped-call]
            return None
        return node


def _storage(tensor: torch.Tensor) -> torch.UntypedStorage | None:
    try:
        return tensor.untyped_storage() if tensor.layout is torch.strided else None
    except Exception:  # wrapper subclasses have none
        return None


def _key(storage: torch.UntypedStorage, tensor: torch.Tensor) -> Key:
    return storage._cdata, int(tensor.storage_offset()), tuple(tensor.shape), tuple(tensor.stride()), tensor.dtype
