"""`torch.compile`, `aot_function` and `aot_module`: what they return notes what it is called with.

Only Inductor is replaced, by the backend `eager`: the code runs the same, and no C++ compiler is needed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch._dynamo.eval_frame

from graphcap.capture.find.watching.calls import Watch, called_by_person

_INDUCTOR_ONLY = ("mode", "options")
_KEPT = ("dynamic", "fullgraph")
COMPILED_FROM = "graphcap_compiled_from"
"""Attribute of a function that notes its calls: the person's own, that it stands for."""
Note = Callable[[Any, Any], None]


def watched_compile(compile_: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """`torch.compile`, as a decorator too."""

    @functools.wraps(compile_)
    def watched(model: Any = None, **options: Any) -> Any:
        if not watch.open or options.get("disable") or not called_by_person(watch.users):
            return compile_(model, **options)
        if model is None:
            return lambda decorated: _compile(decorated, options)
        return _compile(model, options)

    def _compile(model: Any, options: Mapping[str, Any]) -> Any:
        real, replaced = _without_inductor(options)
        compiled = compile_(model, **real)
        kept = {name: options[name] for name in _KEPT if name in options}
        backend = options.get("backend") or "inductor"
        kept["backend"] = backend if isinstance(backend, str) else str(getattr(backend, "__name__", "its own"))

        def note(args: Any, kwargs: Any) -> None:
            target, rest = _owner(model, args)
            watch.add("torch.compile", target, rest, kwargs, kept, replaced)

        return noting(compiled, model, note, watch)

    return watched


def watched_aot(api: str, compile_: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """`aot_function` or `aot_module`."""

    @functools.wraps(compile_)
    def watched(model: Any, *args: Any, **options: Any) -> Any:
        compiled = compile_(model, *args, **options)
        if not watch.open or not called_by_person(watch.users):
            return compiled
        names = ("fw_compiler", "bw_compiler", "partition_fn", "decompositions")
        given = {**dict(zip(names, args, strict=False)), **options}

        def note(args: Any, kwargs: Any) -> None:
            watch.add(api, model, args, kwargs, given)

        return noting(compiled, model, note, watch)

    return watched


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


def noting(compiled: Any, model: Any, note: Note, watch: Watch) -> Any:
    """`compiled`, that says what it is called with."""
    if isinstance(compiled, torch.nn.Module):
        return _noting_module(compiled, model, note, watch)
    if isinstance(compiled, type) or not callable(compiled):
        return compiled

    @functools.wraps(model)
    def call(*args: Any, **kwargs: Any) -> Any:
        # Dynamo, tracing a caller, and every route go straight to the person's own function
        if torch.compiler.is_compiling() or not watch.open:
            return model(*args, **kwargs)
        note(args, kwargs)
        return compiled(*args, **kwargs)

    setattr(call, COMPILED_FROM, model)
    return call


def _noting_module(compiled: Any, model: Any, note: Note, watch: Watch) -> Any:
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
