"""Calls that make a graph at once: `torch.export.export`, `draft_export`, `make_fx`, `symbolic_trace`."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

from graphcap.capture.find.watching.calls import Watch, called_by_person


def watched_export(api: str, export: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """`torch.export.export` or `torch.export.draft_export`."""
    signature = inspect.signature(export)

    @functools.wraps(export)
    def watched(*args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(TypeError):  # a wrong call: export itself says so below
            given = dict(signature.bind(*args, **kwargs).arguments)
            watch.add(api, given.pop("mod"), given.pop("args"), given.pop("kwargs", None) or {}, given)
        return export(*args, **kwargs)

    return watched


def watched_make_fx(make_fx: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """`make_fx`: what it returns is called with the inputs."""
    signature = inspect.signature(make_fx)

    @functools.wraps(make_fx)
    def watched(*args: Any, **kwargs: Any) -> Any:
        trace = make_fx(*args, **kwargs)
        if not watch.open or not called_by_person(watch.users):
            return trace
        given = dict(signature.bind(*args, **kwargs).arguments)
        function = given.pop("f")

        @functools.wraps(trace)
        def noting(*inputs: Any) -> Any:
            watch.add("make_fx", function, inputs, {}, given)
            return trace(*inputs)

        return noting

    return watched


def watched_symbolic_trace(symbolic_trace: Callable[..., Any], watch: Watch) -> Callable[..., Any]:
    """`torch.fx.symbolic_trace`: it needs no inputs."""

    @functools.wraps(symbolic_trace)
    def watched(root: Any, concrete_args: Any = None) -> Any:
        if watch.open and called_by_person(watch.users):
            watch.add("symbolic_trace", root, (), {}, {"concrete_args": concrete_args} if concrete_args else {})
        return symbolic_trace(root, concrete_args)

    return watched
