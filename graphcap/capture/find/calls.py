"""What a script exports and compiles while it runs: torch.export.export and torch.compile are watched, and still work.

Only Inductor is replaced, by the backend `eager`: the code runs the same, and no C++ compiler is needed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
import torch._dynamo.eval_frame

from graphcap.capture.failures import OURS
from graphcap.capture.fx.frames import make_frame
from graphcap.graph.document import Frame

MAX_CALLS = 16  # each becomes a target of four routes; a loop that exports hundreds of models is cut here

_INDUCTOR_ONLY = ("mode", "options")


@dataclasses.dataclass
class Recorded:
    """One call: what was called with what, and from which line."""

    api: str  # torch.export.export, torch.compile
    model: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    options: Mapping[str, Any]
    frame: Frame | None
    replaced: str = ""  # the backend that was replaced
    training: tuple[tuple[torch.nn.Module, bool], ...] = ()  # modes of the submodules at the time of the call


class Watch:
    """The calls seen so far. `left_out` counts those beyond MAX_CALLS."""

    def __init__(self, users: Mapping[str, str]) -> None:
        self.users = users
        self.calls: list[Recorded] = []
        self.left_out = 0
        self.open = False
        self._seen: set[tuple[object, ...]] = set()
        self._held: list[Any] = []  # what was seen stays alive, so that its id stays its own
        self.dressed: list[tuple[torch.nn.Module, type]] = []  # compiled modules that note their calls, with their own class

    def add(self, api: str, model: Any, args: Any, kwargs: Any, options: Mapping[str, Any], replaced: str = "") -> None:
        """Records the first call of `model` from the line that is calling now."""
        frame = calling_frame(self.users)
        key = (api, id(model)) if api == "torch.compile" else (api, id(model), frame and frame.file, frame and frame.line)
        if not self.open or key in self._seen:
            return
        self._seen.add(key)
        self._held.append(model)
        if len(self.calls) >= MAX_CALLS:
            self.left_out += 1
            return
        modes = tuple((m, m.training) for m in model.modules()) if isinstance(model, torch.nn.Module) else ()
        self.calls.append(Recorded(api, model, tuple(args), dict(kwargs), dict(options), frame, replaced, modes))


def calling_frame(users: Mapping[str, str]) -> Frame | None:
    """The innermost line of the person's own files that is running now."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(OURS) and code.co_filename in users:
            text = linecache.getline(code.co_filename, frame.f_lineno).strip()
            return make_frame(code.co_filename, frame.f_lineno, code.co_name, text, users)
        frame = frame.f_back  # type: ignore[assignment]
    return None


@contextlib.contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """While it is open, the calls of the code inside are recorded."""
    export, compile_ = torch.export.export, torch.compile
    torch.export.export = _watched_export(export, watch)
    torch.compile = _watched_compile(compile_, watch)
    watch.open = True
    try:
        yield
    finally:
        watch.open = False
        torch.export.export, torch.compile = export, compile_
        for module, cls in watch.dressed:
            module.__class__ = cls  # Dynamo would trace our class into the graph of a model that holds it


def _watched_export(export: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    signature = inspect.signature(export)

    @functools.wraps(export)
    def watched(*args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(TypeError):  # a wrong call: export itself says so below
            given = dict(signature.bind(*args, **kwargs).arguments)
            watch.add("torch.export.export", given.pop("mod"), given.pop("args"), given.pop("kwargs", None) or {}, given)
        return export(*args, **kwargs)

    return watched


def _watched_compile(compile_: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    @functools.wraps(compile_)
    def watched(model: Any = None, **options: Any) -> Any:
        if not watch.open or not _called_by_person(watch.users):
            return compile_(model, **options)
        if model is None:
            return lambda decorated: _compile(decorated, options)
        return _compile(model, options)

    def _compile(model: Any, options: Mapping[str, Any]) -> Any:
        real, replaced = _without_inductor(options)
        compiled = compile_(model, **real)
        kept = {name: options[name] for name in ("dynamic", "fullgraph") if name in options}

        def note(args: Any, kwargs: Any) -> None:
            target, rest = _owner(model, args)
            watch.add("torch.compile", target, rest, kwargs, kept, replaced)

        if isinstance(compiled, torch.nn.Module):
            return _noting_module(compiled, model, note, watch)
        return _noting(compiled, model, note, watch)

    return watched


def _called_by_person(users: Mapping[str, str]) -> bool:
    """torch compiles things itself (torch.cond, flex_attention); only Module.compile does so in the person's name."""
    frame = sys._getframe(2)
    if frame.f_code.co_name == "compile" and frame.f_code.co_filename == torch.nn.modules.module.__file__ and frame.f_back:
        frame = frame.f_back
    return frame.f_code.co_filename in users


def _without_inductor(options: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    if (options.get("backend") or "inductor") != "inductor":
        return dict(options), ""
    return {name: value for name, value in options.items() if name not in _INDUCTOR_ONLY} | {"backend": "eager"}, "inductor"


def _owner(model: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The module whose `__call__` or `forward` was compiled, with the other arguments; else the function itself."""
    owner = getattr(model, "__self__", None)
    if isinstance(owner, torch.nn.Module) and getattr(model, "__name__", "") in ("_call_impl", "forward"):
        return owner, args
    if args and isinstance(args[0], torch.nn.Module) and getattr(model, "__name__", "") == "forward":
        return args[0], args[1:]
    return model, args


def _noting(compiled: Any, model: Any, note: Callable[[Any, Any], None], watch: Watch) -> Any:
    if isinstance(compiled, type) or not callable(compiled):
        return compiled

    @functools.wraps(model)
    def noting(*args: Any, **kwargs: Any) -> Any:
        # Dynamo, tracing a caller, and every route go straight to the person's own function
        if torch.compiler.is_compiling() or not watch.open:
            return model(*args, **kwargs)
        note(args, kwargs)
        return compiled(*args, **kwargs)

    return noting


def _noting_module(compiled: Any, model: Any, note: Callable[[Any, Any], None], watch: Watch) -> Any:
    cls = type(compiled)

    class Noting(cls):  # type: ignore[valid-type, misc]
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            if torch.compiler.is_compiling() or not watch.open:
                return model(*args, **kwargs)
            note(args, kwargs)
            return super().__call__(*args, **kwargs)

    watch.dressed.append((compiled, cls))
    Noting.__name__, Noting.__qualname__, Noting.__module__ = cls.__name__, cls.__qualname__, cls.__module__
    compiled.__class__ = Noting
    return compiled
