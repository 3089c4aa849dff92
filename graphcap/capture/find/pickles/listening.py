"""Hears which names pickles look up, wherever torch opens one: also inside of a `.pt2`, and in a pickle inside a pickle."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

_ears: list[Callable[[str, str], None]] = []


@contextlib.contextmanager
def listening(ear: Callable[[str, str], None]) -> Iterator[None]:
    """`ear` gets module and name, before they are looked up. Python's audit hooks stay for good; this one then rests."""
    _hook()
    _ears.append(ear)
    try:
        yield
    finally:
        _ears.remove(ear)


@functools.cache
def _hook() -> None:
    sys.addaudithook(_heard)


def _heard(event: str, args: tuple[Any, ...]) -> None:
    if event == "pickle.find_class":
        for ear in _ears:
            ear(str(args[0]), str(args[1]))
