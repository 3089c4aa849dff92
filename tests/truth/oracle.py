"""What raw torch gives for a target: every route by itself, written without looking at how graphcap does it.

A route returns {stage: {"graphs": {gid: facts}} or {"error": [type, first line]}, ...}.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable, Sequence
from typing import Any
from unittest import mock

import torch
from functorch.compile import default_partition, make_boxed_func, min_cut_rematerialization_partition
from torch import fx
from torch._C import _TorchDispatchModeKey
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._higher_order_ops.utils import _in_hop_compile
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from tests.truth.facts import Facts, graphs_of, owners, signature_owners
from tests.truth.loading import Subject, load
from tests.truth.steady import first_line

Outcome = dict[str, Any]


def error_line(error: BaseException) -> list[str]:
    return first_line(type(error).__name__, str(error))


def export(subject: Subject) -> Outcome:
    """`torch.export.export`, then `run_decompositions`; where it refuses, what strict and draft export say."""
    try:
        program = _export(subject)
    except Exception as error:
        tries = {"strict": export_strict, "draft": export_draft}
        others = {how: _forked(lambda attempt=attempt: attempt(subject)) for how, attempt in tries.items()}  # type: ignore[misc]
        graphs = {gid: graph for found in others.values() for gid, graph in found.pop("graphs").items()}
        return {"export": {"graphs": graphs, "error": error_line(error), **others}}
    found: Outcome = {"export": {"graphs": program_graphs(program, "export.0", subject)}}
    try:
        found["core_aten"] = {"graphs": program_graphs(program.run_decompositions(), "core_aten.0", subject)}
    except Exception as error:
        found["core_aten"] = {"error": error_line(error)}
    return found


def program_graphs(program: torch.export.ExportedProgram, gid: str, subject: Subject) -> dict[str, Facts]:
    graphs = graphs_of(program.graph_module, gid, subject.place)
    graphs[gid]["owners"] = signature_owners(program)
    return graphs


def export_strict(subject: Subject) -> Outcome:
    """Whether strict export takes what non-strict export refused."""
    try:
        program = _export(subject, strict=True)
    except Exception as error:
        return {"graphs": {}, "errors": [error_line(error)]}
    return {"graphs": graphs_of(program.graph_module, "export.0.strict", subject.place), "errors": []}


def export_draft(subject: Subject) -> Outcome:
    """What draft export makes of it, and the kinds of what it reports."""
    try:
        program = _export(subject, torch.export.draft_export)
    except Exception as error:
        return {"graphs": {}, "errors": [error_line(error)]}
    kinds = [failure.failure_type.name for failure in program._report.failures if not failure.xfail]
    return {"graphs": graphs_of(program.graph_module, "export.0.draft", subject.place), "kinds": kinds}


def _export(subject: Subject, how: Any = torch.export.export, **more: Any) -> torch.export.ExportedProgram:
    if subject.program is not None:
        return subject.program
    model = subject.model
    if not isinstance(model, torch.nn.Module):  # export takes modules only
        model = torch.nn.Module()
        model.forward = subject.model
    return how(model, subject.args, subject.kwargs, dynamic_shapes=subject.dynamic_shapes, **more)  # type: ignore[no-any-return]


def _refusal(attempt: Callable[[], object]) -> list[str] | None:
    try:
        attempt()
    except Exception as error:
        return error_line(error)
    return None


def dynamo(subject: Subject) -> Outcome:
    """Every fragment `torch.compile` hands to a backend, and where it broke."""
    graphs: dict[str, Facts] = {}
    breaks: list[list[Any]] = []
    count = 0

    def backend(module: fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        nonlocal count
        graphs.update(graphs_of(module, f"dynamo.{count}", subject.place))
        graphs[f"dynamo.{count}"]["owners"] = owners(module.graph, inputs, subject.place)
        count += 1
        reason = module.compile_subgraph_reason
        if reason.graph_break:
            breaks.append([reason.reason.splitlines()[0], reason.user_stack[-1].lineno])
        return module.forward

    error = _refusal(lambda: torch.compile(subject.model, backend=backend)(*subject.args, **subject.kwargs))
    counters = torch._dynamo.utils.counters
    reasons = {reason.splitlines()[0] for kind in ("graph_break", "unimplemented") for reason in counters[kind]}
    return {"dynamo": {"graphs": graphs, "breaks": breaks, "reasons": sorted(reasons), "error": error}}


def aot(subject: Subject) -> Outcome:
    """What AOTAutograd gives its partitioner and its compilers, for every fragment."""
    found: Outcome = {stage: {"graphs": {}} for stage in ("joint", "forward", "backward")}
    swallowed: list[list[str]] = []
    count = 0

    def backend(module: fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        nonlocal count
        compile_fragment = recording_backend(subject, found, count, inputs)
        count += 1
        try:
            return compile_fragment(module, inputs)
        except Exception as error:
            swallowed.append(error_line(error))  # in some frames Dynamo only logs it, and runs the frame in eager mode
            raise

    error = _refusal(lambda: torch.compile(subject.model, backend=backend)(*subject.args, **subject.kwargs))
    for stage in found.values():
        if not stage["graphs"]:
            stage["error"] = swallowed[0] if swallowed else error
    return found | {"aot": {"error": error, "fragments": count}}


def recording_backend(
    subject: Subject, found: Outcome, fragment: int, inputs: Sequence[Any]
) -> Callable[..., Callable[..., Any]]:
    """A backend that runs what it is given, and keeps it."""

    def keep(stage: str, module: fx.GraphModule) -> None:
        gid = f"{stage}.{fragment}"
        found[stage]["graphs"].update(graphs_of(module, gid, subject.place))
        if stage != "backward":
            found[stage]["graphs"][gid]["owners"] = owners(module.graph, inputs, subject.place)

    def compiler(stage: str) -> Callable[..., Any]:
        def compile_(module: fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
            keep(stage, module)
            return make_boxed_func(module.forward)

        return compile_

    def partition(joint: fx.GraphModule, inputs: Any, **more: Any) -> tuple[fx.GraphModule, fx.GraphModule]:
        keep("joint", joint)
        halves = PARTITIONERS[subject.options["partitioner"]](joint, inputs, **more)
        keep("backward", halves[1])  # replaced by what bw_compiler is given, when it comes to that
        return halves

    return aot_autograd(
        fw_compiler=compiler("forward"),
        inference_compiler=compiler("forward"),
        bw_compiler=compiler("backward"),
        partition_fn=partition,
        decompositions=core_aten_decompositions() if subject.options["decompositions"] == "core_aten" else None,
    )


PARTITIONERS: dict[str, Callable[..., tuple[fx.GraphModule, fx.GraphModule]]] = {
    "min_cut": min_cut_rematerialization_partition,
    "default": default_partition,
}


class _Recorder(TorchDispatchMode):
    """Every ATen call. A higher-order op is compiled also in eager mode, and its dense kernel runs the bodies."""

    supports_higher_order_operators = True

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        return _in_hop_compile()  # else the bodies lose their gradient; a compiled submodule runs as plain code

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if any(torch._C._get_dispatch_mode(kind) for kind in _TRACERS):
            return func(*args, **kwargs)  # not run, only traced
        if isinstance(func, torch._ops.HigherOrderOperator):
            dense = func.py_kernels[torch._C.DispatchKey.CompositeExplicitAutograd]
            names = getattr(dense, "func", dense).__globals__  # a partial for while_loop
            with mock.patch.dict(names, _get_current_dispatch_mode=lambda: None), self:
                return dense(*args, **kwargs)
        result = func(*args, **kwargs)
        self.calls.append(str(func))
        return result


_TRACERS = (_TorchDispatchModeKey.FAKE, _TorchDispatchModeKey.PROXY, _TorchDispatchModeKey.FUNCTIONAL)


def eager(subject: Subject) -> Outcome:
    """The ATen calls of a plain forward, and of a backward from ones for every differentiable output."""
    forward, backward = _Recorder(), _Recorder()
    found: Outcome = {"forward": forward.calls, "backward": backward.calls}
    try:
        with forward:
            result = subject.model(*subject.args, **subject.kwargs)
        outputs = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        with backward:
            if outputs:
                torch.autograd.backward(outputs, [torch.ones_like(leaf) for leaf in outputs])
    except Exception as error:
        found["error"] = error_line(error)
    return {"eager": found}


ROUTES: dict[str, Callable[[Subject], Outcome]] = {"eager": eager, "dynamo": dynamo, "export": export, "aot": aot}


def run(path: str, options: dict[str, Any]) -> Outcome:
    """Every stage of one submission, each route in a fork of the process that imported it."""
    with contextlib.redirect_stdout(io.StringIO()):
        subject = load(path, options)
    found: Outcome = {}
    for name, route in ROUTES.items():
        found |= _forked(lambda route=route: route(subject)) or {name: {"crashed": True}}  # type: ignore[misc]
    return found


def _forked(work: Callable[[], Outcome]) -> Outcome | None:
    """The result of `work` done in a fork, or None when the fork ended without one."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            with open(writer, "w", encoding="utf-8") as stream:
                json.dump(work(), stream)
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None
