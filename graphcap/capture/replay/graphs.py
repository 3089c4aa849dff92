"""One recorded graph run as it stands, node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import torch
import torch.fx

from graphcap.capture.failures import exception_text
from graphcap.capture.fx.printed import clean
from graphcap.capture.record import flatten
from graphcap.capture.replay.compare import NotCompared, Pair, compared, not_compared
from graphcap.graph.document import Replay

MAX_NAMED = 3  # ops that a reason names
UNFILLED = frozenset({"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"})

AnyGraph = torch.nn.Module | torch.fx.Graph


def run_graph(module: torch.fx.GraphModule, values: Sequence[Any]) -> list[Any]:
    """What the graph returns, flattened as `Node.returns` is. `values`: of its placeholders, in order."""
    interpreter = torch.fx.Interpreter(module)
    with torch.no_grad():
        return list(flatten(interpreter.run(*values, enable_io_processing=False)))


def as_recorded(module: torch.fx.GraphModule, text: str) -> torch.fx.GraphModule:
    """`module`, if its graph still prints as it did; raises NotCompared."""
    if clean(str(module.graph)) != text:
        raise NotCompared("torch changes this graph before it runs it")
    return module


class Expected(Protocol):
    """What eager PyTorch gives, to be asked where a graph gives something else."""

    def drew(self) -> bool:
        """Whether it draws random numbers."""

    def steady(self) -> bool:
        """Whether it gives the same a second time, to the last bit."""


def replayed(run: Callable[[], Iterable[Pair]], graphs: Iterable[AnyGraph], expected: Expected, said: str = "") -> Replay:
    """The comparison of what `run` gives; never raises but OutOfTime.

    Where values are not close it may be that they cannot be: memory that is handed out unfilled holds anything, and random
    numbers may be drawn in another order. `graphs`: those that `run` runs, with their bodies.
    """
    try:
        found = compared(run(), said)
        if found.close or found.status != "compared":
            return found
        called = list(_called(graphs))
        if unfilled := _named(op for op in called if _name(op) in UNFILLED):
            return not_compared(f"unfilled memory ({unfilled}) holds other values here than in eager PyTorch")
        drawn = _named(op for op in called if _is_random(op))
        if drawn or expected.drew():
            ops = f"random ops ({drawn})" if drawn else "random ops"
            return not_compared(f"{ops} draw other numbers here than in eager PyTorch")
        return found if expected.steady() else not_compared("eager PyTorch itself does not give the same values twice")
    except NotCompared as reason:
        return not_compared(str(reason))
    except Exception as error:  # kernels, custom ops, higher-order ops that only run when compiled
        return not_compared(f"it raised {type(error).__name__}: {exception_text(error)}")


def _called(graphs: Iterable[AnyGraph]) -> Iterator[Any]:
    """What the nodes call: operators, functions, names of methods."""
    for each in graphs:
        graph = each.graph if isinstance(each, torch.fx.GraphModule) else each
        if isinstance(graph, torch.fx.Graph):
            yield from (node.target for node in graph.nodes if node.op in ("call_function", "call_method"))


def _name(op: Any) -> str:
    """`empty_like`, of an overload of it, of torch's function and of the method."""
    if isinstance(op, torch._ops.OpOverload):
        return str(op.overloadpacket.__name__)
    return op if isinstance(op, str) else str(getattr(op, "__name__", ""))


def _is_random(op: Any) -> bool:
    return isinstance(op, torch._ops.OpOverload) and torch.Tag.nondeterministic_seeded in op.tags


def _named(ops: Iterable[Any]) -> str:
    """Some of them, each once: `aten.rand.default, aten.randn.default`."""
    return ", ".join(sorted({str(op) if isinstance(op, torch._ops.OpOverload) else _name(op) for op in ops})[:MAX_NAMED])


def writes(graph: torch.fx.Graph) -> bool:
    """Whether any of its ops writes into its arguments."""
    return any(
        isinstance(node.target, torch._ops.OpOverload) and node.target._schema.is_mutable
        for node in graph.nodes
        if node.op == "call_function"
    )
