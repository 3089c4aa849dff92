"""One run of a target under Dynamo with a backend that watches. Nothing else of the program is changed."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch._dynamo
import torch.fx
from torch._dynamo import external_utils
from torch._dynamo.exc import TensorifyScalarRestartAnalysis
from torch._dynamo.output_graph import GraphCompileReason
from torch._dynamo.types import GuardFail
from torch._dynamo.utils import graph_break_reasons
from torch._guards import CompileContext, Guard, GuardsSet

from graphcap.capture.compile.listen import Heard, listening
from graphcap.capture.target.loaded import Loaded

Compiled = Callable[..., Any]
Backend = Callable[[int, torch.fx.GraphModule, Sequence[Any]], Compiled]
"""Given a fragment's number, its graph and its inputs: what to run in its place."""


@dataclasses.dataclass
class Run:
    """What was seen, fragment by fragment, and the exception that ended the run, if one did."""

    ends: list[GraphCompileReason] = dataclasses.field(default_factory=list)  # why each fragment ends
    compiled: list[int] = dataclasses.field(default_factory=list)  # reasons there were when each fragment was compiled
    compile_ids: list[str] = dataclasses.field(default_factory=list)  # torch's: 0/0, 1/0, ...
    guards: dict[str, list[Guard]] = dataclasses.field(default_factory=dict)  # by compile id
    reasons: list[GraphCompileReason] = dataclasses.field(default_factory=list)
    heard: Heard | None = None
    error: BaseException | None = None
    call: Compiled | None = None  # the compiled target
    over: bool = False  # the first call has ended: `goes_on` is not asked any more
    executed: set[int] = dataclasses.field(default_factory=set)  # fragments that ran in the last call
    failed: list[str] = dataclasses.field(
        default_factory=list
    )  # torch's words on guards that failed since the last fragment
    why: list[tuple[str, ...]] = dataclasses.field(default_factory=list)  # the same before each fragment


class _Enough(BaseException):
    """Ends a run that has nothing more to show. Not an Exception: the person's code must not catch it."""


def run(target: Loaded, backend: Backend, goes_on: Callable[[Run], bool]) -> Run:
    """Calls the target once, compiled. Never raises what the target raises: it is in `error`.

    Where one fragment is the whole target, `goes_on` is asked before that fragment runs, and may end the run by False:
    a long or crashing run cannot lose the graphs then.
    """
    torch._dynamo.reset()  # also forgets the reasons of earlier breaks
    seen = Run()

    def watch(module: torch.fx.GraphModule, inputs: Sequence[Any]) -> Compiled:
        seen.ends.append(module.compile_subgraph_reason)  # type: ignore[arg-type]
        seen.compiled.append(len(graph_break_reasons))
        seen.compile_ids.append(compile_id(module))
        seen.why.append(tuple(seen.failed))
        seen.failed.clear()
        try:
            compiled = backend(len(seen.ends) - 1, module, inputs)
        except TensorifyScalarRestartAnalysis:  # Dynamo traces the frame again, with floats as tensors
            for kept in (seen.ends, seen.compiled, seen.compile_ids, seen.why):
                kept.pop()
            raise
        return _watched(seen, compiled, goes_on if _is_whole(target.model, seen) else lambda seen: True)

    def export_guards(found: GuardsSet) -> None:
        seen.guards[str(CompileContext.current_compile_id())] = list(found)

    def guard_failed(failure: GuardFail) -> None:
        seen.failed.append(failure.reason)

    with listening(lambda: len(seen.ends)) as seen.heard:
        try:
            hooks = {"guard_export_fn": export_guards, "guard_fail_fn": guard_failed}
            seen.call = torch._dynamo.optimize(watch, **hooks, **_settings(target))(target.model)
            seen.call(*target.args, **target.kwargs)
        except _Enough:
            pass
        except (Exception, SystemExit, KeyboardInterrupt) as error:  # whatever a stranger's model raises
            seen.error = error
    seen.reasons = list(graph_break_reasons)
    seen.over = True
    return seen


def compile_id(module: torch.fx.GraphModule) -> str:
    """torch's name of a code: the number of its frame, and of its compilation: `1/0`."""
    return str(module.meta.get("dynamo_compile_id"))


def _watched(seen: Run, compiled: Compiled, goes_on: Callable[[Run], bool]) -> Compiled:
    """`compiled`, the fragment compiled last, that says when it runs."""
    index = len(seen.ends) - 1

    def call(*args: Any) -> Any:
        seen.executed.add(index)
        if not seen.over and len(seen.ends) == 1 and not goes_on(seen):
            raise _Enough
        return compiled(*args)

    return call


def call_again(seen: Run, args: Sequence[Any], kwargs: Mapping[str, Any], anew: bool = False) -> Any:
    """Calls the compiled target once more, and lets through what it raises. Nothing is printed.

    Where guards fail it compiles `anew`, or else runs that part as plain Python: `executed` tells which fragments ran.
    """
    assert seen.call is not None
    seen.executed.clear()
    stance = contextlib.nullcontext() if anew else torch.compiler.set_stance("eager_on_recompile")
    with listening(lambda: len(seen.ends)), stance:
        return seen.call(*args, **kwargs)


def _settings(target: Loaded) -> dict[str, Any]:
    """What the script itself asked of torch.compile and changes what is captured."""
    return {
        "nopython": bool(target.compile_kwargs.get("fullgraph", False)),
        "dynamic": target.compile_kwargs.get("dynamic"),
    }


def _is_whole(model: Any, seen: Run) -> bool:
    """The fragment compiled last is the first one and goes from the target's own call to its return: none can follow."""
    end = seen.ends[-1]
    if seen.compile_ids != ["0/0"] or end.graph_break or len(end.user_stack) != 1 or _has_hooks(model):
        return False
    frame = end.user_stack[0]
    if frame.filename == external_utils.__file__ and frame.name == "inner":  # torch's own wrapper around a module of torch
        return True
    code = getattr(model.forward if isinstance(model, torch.nn.Module) else model, "__code__", None)
    return (
        code is not None and frame.filename == code.co_filename and frame.lineno in {line for _, _, line in code.co_lines()}
    )


def _has_hooks(model: Any) -> bool:
    """Hooks of the target itself run around its frame and are frames of their own."""
    names = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")
    own = isinstance(model, torch.nn.Module) and any(getattr(model, name) for name in names)
    return own or torch.nn.modules.module._has_any_global_hook()  # type: ignore[no-untyped-call]


def fragment_title(target: Loaded, index: int, total: int) -> str:
    """The target's own title where it is captured whole."""
    return target.title if total == 1 else f"fragment {index + 1} of {total}"
