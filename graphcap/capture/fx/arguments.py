"""A node's arguments as values of the document. Total: what has no word of its own becomes an `Atom` with its text."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.fx

from graphcap.capture.fx.values import safe_text, tensor_text
from graphcap.graph.document import Arg, Atom, Cut, GraphRef, Map, Ref, Seq

MAX_ITEMS = 1_000  # a list of constants longer than this is a table of data, not an argument to read
MAX_TEXT = 2_000  # characters of a string constant; einsum equations and mode names are far shorter
HEAD = 200  # what is kept of a cut constant
MAX_DEPTH = 24  # graphcap.graph.check refuses 32
INT64 = 2**63

_NAMED = {
    torch.dtype: "dtype",
    torch.device: "device",
    torch.layout: "layout",
    torch.memory_format: "memory_format",
    torch.SymInt: "symint",
    torch.SymFloat: "symfloat",
    torch.SymBool: "symbool",
    complex: "complex",
    type(Ellipsis): "ellipsis",
}


def argument(
    value: Any,
    index: Mapping[torch.fx.Node, int],
    body: Callable[[torch.fx.GraphModule], GraphRef | None],
    depth: int = 0,
) -> Arg:
    """One argument. `index` numbers the graph's nodes; `body` names the graph of a GraphModule passed directly."""
    if isinstance(value, torch.fx.Node):
        return Ref(index[value]) if value in index else Atom("node", value.name)
    if value is None or isinstance(value, bool):
        return value
    plain = _plain(value)
    if plain is not None:
        return plain
    if isinstance(value, torch.fx.GraphModule) and (ref := body(value)) is not None:
        return ref
    if isinstance(value, tuple | list | dict | slice):
        return _container(value, index, body, depth)
    return _atom(value)


def _plain(value: Any) -> Arg:
    """A number or a string; None: `value` is neither. Subclasses (enums, torch.Size items) are cut down to the base."""
    if isinstance(value, int) and not isinstance(value, torch.SymInt):
        number = int(value)
        return number if -INT64 <= number < INT64 else Atom("int", _clip(str_of_int(number)))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else Atom("float", repr(float(value)))
    if isinstance(value, str):
        text = value.encode("utf-8", "backslashreplace").decode("utf-8")
        return text if len(text) <= MAX_TEXT else Cut("str", len(value), text[:HEAD])
    return None


def str_of_int(number: int) -> str:
    """Decimal digits, or hexadecimal where Python refuses to print that many of them."""
    try:
        return str(number)
    except ValueError:
        return hex(number)


def _container(value: Any, index: Mapping[torch.fx.Node, int], body: Callable[..., GraphRef | None], depth: int) -> Arg:
    if depth >= MAX_DEPTH:
        return Atom(type(value).__name__, "nested too deeply to show")
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return Seq("slice", tuple(argument(part, index, body, depth + 1) for part in parts))
    if len(value) > MAX_ITEMS and not _has_node(value):
        return Cut(_kind(value), len(value), safe_text(value, HEAD))
    if isinstance(value, dict):
        return Map(tuple((safe_text(key), argument(part, index, body, depth + 1)) for key, part in value.items()))
    return Seq(_kind(value), tuple(argument(part, index, body, depth + 1) for part in value))


def _kind(value: Any) -> Any:
    return "dict" if isinstance(value, dict) else "tuple" if isinstance(value, tuple) else "list"


def _has_node(value: Any) -> bool:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, torch.fx.Node):
            return True
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list | tuple):
            pending.extend(item)
        elif isinstance(item, slice):
            pending.extend((item.start, item.stop, item.step))
    return False


def _atom(value: Any) -> Atom:
    if isinstance(value, torch.Tensor):
        return Atom("tensor", tensor_text(value))
    if isinstance(value, torch._ops.OpOverload | torch._ops.HigherOrderOperator):
        return Atom("op", str(value))
    for cls, name in _NAMED.items():
        if isinstance(value, cls):
            return Atom(name, safe_text(value))
    if isinstance(value, torch.fx.GraphModule):
        return Atom("graph", type(value).__name__)
    if isinstance(value, type) or callable(value):
        qualified = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
        if isinstance(qualified, str):
            return Atom("function", _clip(f"{getattr(value, '__module__', '') or ''}.{qualified}".lstrip(".")))
    return Atom(type(value).__name__, safe_text(value))


def _clip(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "..."
