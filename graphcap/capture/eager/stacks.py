"""The Python stack at a call, as the text torch itself records: the person's files and torch's modules, outermost first."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from pathlib import Path

import torch

from graphcap.capture.fx.frames import OURS

_TORCH = str(Path(torch.__file__).parent) + "/"
_PLUMBING = tuple(
    _TORCH + part
    for part in (
        "nn/modules/module.py",
        "_ops.py",
        "_tensor.py",
        "_jit_internal.py",
        "_dynamo/",
        "_higher_order_ops/",
        "_compile.py",
        "autograd/",
        "utils/",
        "fx/",
    )
)

_HIDDEN = (OURS, *_PLUMBING, "<frozen", "<eval_with_key>")

Call = tuple[str, int, str]


class Stacks:
    """Texts of stacks, each made once."""

    def __init__(self, users: Mapping[str, str]) -> None:
        self._users = users
        self._known: dict[tuple[Call, ...], tuple[str, bool]] = {}
        self._kept: dict[str, bool] = {}

    def current(self) -> tuple[str, bool]:
        """The stack now, and whether the person's own code is on it."""
        frame = sys._getframe(2)
        calls: list[Call] = []
        while frame is not None:
            code = frame.f_code
            if self._keeps(code.co_filename):
                calls.append((code.co_filename, frame.f_lineno, code.co_name))
            frame = frame.f_back  # type: ignore[assignment]
        key = tuple(calls)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._text(calls[::-1])
        return known

    def _keeps(self, file: str) -> bool:
        kept = self._kept.get(file)
        if kept is None:
            kept = self._kept[file] = file in self._users or not file.startswith(_HIDDEN)
        return kept

    def _text(self, calls: list[Call]) -> tuple[str, bool]:
        first = next((i for i, call in enumerate(calls) if call[0] in self._users), None)
        shown = calls if first is None else calls[first:]  # above the person's first line is the capture process
        lines = [
            f'  File "{file}", line {line}, in {name}\n    {linecache.getline(file, line).strip()}'
            for file, line, name in shown
        ]
        return "\n".join(lines), first is not None
