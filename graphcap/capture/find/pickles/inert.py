"""Reads only the numbers of a pickle: torch's own names that torch allows weights to hold; anything else becomes an empty
stand-in. Nothing that the pickle names is imported or called, so no code of its classes is needed either.
"""

from __future__ import annotations

import io
import pickle
from collections import defaultdict
from pathlib import Path
from typing import Any

import torch
from torch._weights_only_unpickler import _get_allowed_globals

from graphcap.capture.find.pickles.replaced import pickle_with

PYTHON_2 = {"__builtin__": "builtins"}
MORE: dict[str, Any] = {
    "collections.defaultdict": defaultdict,
    "builtins.frozenset": frozenset,
    "builtins.dict": dict,
    "builtins.list": list,
    "builtins.tuple": tuple,
    "builtins.int": int,
    "builtins.float": float,
    "builtins.bool": bool,
    "builtins.str": str,
    "builtins.bytes": bytes,
}
"""Plain containers and values, beside those that torch allows."""


class Unread(dict[Any, Any]):
    """Stands for an object of a class that is not read: takes what a pickle gives it, and keeps entries only."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Unread:
        """Whatever the arguments are."""
        return super().__new__(cls)

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def __call__(self, *args: Any, **kwargs: Any) -> Unread:
        """Another one."""
        return Unread()

    def __setstate__(self, state: Any) -> None:
        """Keeps nothing of it."""

    def append(self, item: Any) -> None:
        """Keeps nothing of it."""

    def extend(self, items: Any) -> None:
        """Keeps nothing of them."""

    def add(self, item: Any) -> None:
        """Keeps nothing of it."""

    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__


def read_numbers(path: Path, archive: bool) -> tuple[Any, tuple[str, ...]]:
    """What was saved, and the names that were not read, `argparse.Namespace`. `archive`: by torch.save, else by pickle.

    Raises what a damaged file leads pickle and torch to.
    """
    unread: dict[str, None] = {}

    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            known = f"{PYTHON_2.get(module, module)}.{name}"
            if known == "torch.storage._load_from_bytes":
                return _storage
            if (found := _get_allowed_globals().get(known, MORE.get(known))) is not None:
                return found
            unread[known] = None
            return Unread

    with path.open("rb") as file:
        if not archive:
            return Unpickler(file).load(), tuple(unread)
        value = torch.load(file, map_location="cpu", pickle_module=pickle_with(Unpickler), weights_only=False)
    return value, tuple(unread)


def _storage(data: bytes) -> Any:
    """As torch.storage reads the one inside a plain pickle, which would open it as a program."""
    return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
