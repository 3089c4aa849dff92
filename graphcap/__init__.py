"""graphcap: see what PyTorch's compiler stack sees, stage by stage.

capture = graphcap.capture(model, x)     # in this process; needs torch
capture.stages["forward"].graph          # networkx
capture.save("m.graphcap"); graphcap.load("m.graphcap").push("http://localhost:8000")
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

__version__ = "0.1.0"


class _Room(types.ModuleType):
    """The room `graphcap.capture`, which can be called: the name that people type is also that of the package's own room."""

    def __call__(self, model: Any, *args: Any, **kwargs: Any) -> Any:
        from graphcap.client.making.live import capture

        return capture(model, *args, **kwargs)


class _Package(types.ModuleType):
    """Whoever imports `graphcap.capture` first: it is the callable one. Nothing is loaded before it is asked for."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "capture" and isinstance(value, types.ModuleType):
            value.__class__ = _Room
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name == "capture":
            return importlib.import_module("graphcap.capture")
        if name == "load":
            return importlib.import_module("graphcap.client.captured").load
        raise AttributeError(f"module 'graphcap' has no attribute {name!r}")


sys.modules[__name__].__class__ = _Package
