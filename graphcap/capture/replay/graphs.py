"""One recorded graph run as it stands, node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import torch
import torch.fx

from graphcap.capture.failures import exception_text
from graphcap.capture.fx.printed import clean
from graphcap.capture.record import flatten
from graphcap.capture.replay.compare import NotCompared, Pair, compared, not_compared
from graphcap.graph.document import Replay

MAX_NAMED = 3  # random ops that a reason names


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


def replayed(run: Callable[[], Iterable[Pair]], random: Iterable[str], expected: Expected, said: str = "") -> Replay:
    """The comparison of what `run` gives; never raises but OutOfTime.

    Where values are not close it may be that they cannot be: random numbers may be drawn in another order. `random` names
    the random ops of the graph.
    """
    try:
        found = compared(run(), said)
        drawn = ", ".join(sorted(set(random))[:MAX_NAMED])
        if found.close or found.status != "compared":
            return found
        if drawn or expected.drew():
            ops = f"random ops ({drawn})" if drawn else "random ops"
            return not_compared(f"{ops} draw other numbers here than in eager PyTorch")
        return found if expected.steady() else not_compared("eager PyTorch itself does not give the same values twice")
    except NotCompared as reason:
        return not_compared(str(reason))
    except Exception as error:  # kernels, custom ops, higher-order ops that only run when compiled
        return not_compared(f"it raised {type(error).__name__}: {exception_text(error)}")


def random_ops(modules: Iterable[torch.nn.Module | torch.fx.Graph]) -> list[str]:
    """The random operators of graphs and of their bodies."""
    graphs = [each.graph if isinstance(each, torch.fx.GraphModule) else each for each in modules]
    return [
        str(node.target)
        for graph in graphs
        if isinstance(graph, torch.fx.Graph)
        for node in graph.nodes
        if isinstance(node.target, torch._ops.OpOverload) and torch.Tag.nondeterministic_seeded in node.target.tags
    ]


def writes(graph: torch.fx.Graph) -> bool:
    """Whether any of its ops writes into its arguments."""
    return any(
        isinstance(node.target, torch._ops.OpOverload) and node.target._schema.is_mutable
        for node in graph.nodes
        if node.op == "call_function"
    )
