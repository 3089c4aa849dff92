"""Every call that is watched, and where it can be had from. Another one is a line of the table."""

from __future__ import annotations

import contextlib
import functools
import importlib
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from graphcap.capture.find.watching.called import noting_modules
from graphcap.capture.find.watching.calls import Watch
from graphcap.capture.find.watching.compiles import watched_aot, watched_compile
from graphcap.capture.find.watching.traces import watched_export, watched_make_fx, watched_symbolic_trace

_AOT = ("torch._functorch.aot_autograd", "functorch.compile")
_MAKE_FX = ("torch.fx.experimental.proxy_tensor", "functorch", "functorch.compile")

WATCHED: dict[str, tuple[tuple[str, ...], Callable[[Callable[..., Any], Watch], Callable[..., Any]]]] = {
    "export": (("torch.export",), partial(watched_export, "torch.export.export")),
    "draft_export": (("torch.export",), partial(watched_export, "torch.export.draft_export")),
    "compile": (("torch",), watched_compile),
    "aot_function": (_AOT, partial(watched_aot, "aot_function")),
    "aot_module": (_AOT, partial(watched_aot, "aot_module")),
    "make_fx": (_MAKE_FX, watched_make_fx),
    "symbolic_trace": (("torch.fx", "torch.fx._symbolic_trace"), watched_symbolic_trace),
}
"""Name -> the modules that have it, and what stands in its place. The first module is imported, the others may be."""


def says_what(code: bytes) -> bool:
    """Whether code names its inputs, or may export or compile: then it is not ended while it just calls its modules."""
    words = ("example_args", "torch.export", "torch.compile", *(WATCHED.keys() - {"export", "compile"}))
    return any(word.encode() in code for word in words) or re.search(rb"(?<!\bre)\.compile\(", code) is not None


@contextlib.contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """While it is open, the calls of the code inside are recorded. Must be opened in the main thread of a process."""
    put_back: list[tuple[Any, str, Any]] = []
    for name, (modules, replace) in WATCHED.items():
        original = getattr(importlib.import_module(modules[0]), name)
        replaced = replace(_telling(original, watch), watch)
        for module in (sys.modules[each] for each in modules if each in sys.modules):
            if getattr(module, name, None) is original:
                put_back.append((module, name, original))
                setattr(module, name, replaced)
    watch.open = True
    try:
        with _alarm(watch), noting_modules(watch):
            yield
    finally:
        watch.open = False
        for module, name, original in put_back:
            setattr(module, name, original)
        for dressed, cls in watch.dressed:
            dressed.__class__ = cls  # Dynamo would trace our class into the graph of a model that holds it


def _telling(original: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """The same, which tells the watch first."""

    @functools.wraps(original)
    def telling(*args: Any, **kwargs: Any) -> Any:
        watch.compiling()
        return original(*args, **kwargs)

    return telling


@contextlib.contextmanager
def _alarm(watch: Watch) -> Iterator[None]:
    """Where signals are heard, the watch ends the code inside that makes no more calls."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, watch.stop_waiting)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
