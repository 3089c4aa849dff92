"""What a printed call calls: the target's text as the document has it, and what torch, where it is the same, says of it.

Only names are looked up, among torch's own operators and modules; nothing is called.
"""

from __future__ import annotations

import functools
import operator
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import torch

from graphcap.capture.fx.operators import Operator, describe

NAMESPACES = frozenset(
    (
        "aten",
        "prims",
        "prim",
        "higher_order",
        "inductor",
        "quantized",
        "_quantized",
        "_c10d_functional",
        "mkldnn",
        "profiler",
    )
)
"""Of `torch.ops`, in which operators are looked up: the installed torch's own."""


def function_target(dotted: str) -> str:
    """`aten.sum.dim_IntList` for `torch.ops.aten.sum.dim_IntList`; others as they are printed."""
    parts = dotted.split(".")
    if dotted.startswith("torch.ops.") and len(parts) == 5:
        return ".".join(parts[2:])
    return dotted


@functools.lru_cache(maxsize=4096)
def known(op: str, printed: str) -> Operator:
    """Tags and schema of an FX node's target (`op`: call_function or call_method) as it was printed."""
    bare = Operator(function_target(printed), (), None)
    try:
        target = printed if op == "call_method" else _found(printed)
        if target is None:
            return bare
        found = describe(cast(Any, SimpleNamespace(op=op, target=target)))
    except Exception:  # what another torch had, or a stranger's name
        return bare
    return bare._replace(tags=found.tags, schema=found.schema)


def _found(printed: str) -> Any:
    parts = printed.split(".")
    if parts[:2] == ["torch", "ops"]:
        if len(parts) not in (4, 5) or parts[2] not in NAMESPACES:
            return None
        return _attribute(getattr(torch.ops, parts[2]), parts[3:])
    if parts[0] == "operator" and len(parts) == 2:
        return getattr(operator, parts[1], None)
    if parts[0] != "torch":
        return None
    held: Any = torch
    for part in parts[1:]:
        if not isinstance(held, ModuleType):
            return None
        held = held.__dict__.get(part)
    return held if callable(held) else None


def _attribute(held: Any, parts: list[str]) -> Any:
    for part in parts:
        held = getattr(held, part)
    return held
