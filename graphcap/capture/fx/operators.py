"""Operators: the target as text, the tags, the schema with its docstring. All cached: a graph has few operators."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.fx

from graphcap.capture.fx.values import safe_text
from graphcap.graph.document import OpSchema

MAX_DOC = 6_000  # characters; torch.nn.functional's longest are about 10,000, mostly examples
_NAMESPACES = {"linalg_": torch.linalg, "fft_": torch.fft, "special_": torch.special}


class Operator(NamedTuple):
    """What is known of a target."""

    target: str
    tags: tuple[str, ...]
    schema: OpSchema | None


class OperatorTable:
    """The operators of one recorder. `operator` is cheap after the first node of each.

    `more_tags` are those that the recorder's stages have beside the operator's own.
    """

    def __init__(self, more_tags: Callable[[torch.fx.Node], tuple[str, ...]] = lambda node: ()) -> None:
        self._known: dict[tuple[str, Any], Operator] = {}
        self._more_tags = more_tags

    def operator(self, node: torch.fx.Node) -> Operator:
        """The node's operator; a target that cannot be described has its type's name."""
        try:
            key = (node.op, node.target)
            if key not in self._known:
                own = describe(node)
                self._known[key] = own._replace(tags=(*own.tags, *self._more_tags(node)))
            return self._known[key]
        except TypeError:  # a target that cannot be hashed
            return describe(node)


def describe(node: torch.fx.Node) -> Operator:
    """Target, tags and schema of a node."""
    target = node.target
    if isinstance(target, torch._ops.OpOverload):
        return Operator(str(target), _overload_tags(target), _overload_schema(target))
    if isinstance(target, torch._ops.HigherOrderOperator):
        return Operator(target_text(node), ("hop",), _python_schema(target_text(node), type(target)))
    if node.op == "call_method" and isinstance(target, str):
        tags = ("inplace",) if target.endswith("_") and not target.endswith("__") else ()
        return Operator(target, tags, _python_schema(f"torch.Tensor.{target}", getattr(torch.Tensor, target, None)))
    if node.op == "call_function":
        text = target_text(node)
        return Operator(text, (), _python_schema(text, target))
    return Operator(target_text(node), (), None)


def target_text(node: torch.fx.Node) -> str:
    """`aten.sum.dim_IntList` for an overload, else what print(graph) shows: `torch.nn.functional.relu`, `operator.add`."""
    if isinstance(node.target, torch._ops.OpOverload):
        return str(node.target)
    try:
        return safe_text(torch.fx.Node._pretty_print_target(node.target))
    except Exception:  # callables without a name: functools.partial, instances
        return type(node.target).__qualname__


def _overload_tags(op: torch._ops.OpOverload) -> tuple[str, ...]:
    tags = [tag.name for tag in op.tags]
    if op.is_view:
        tags.append("view")
    writes = any(arg.alias_info is not None and arg.alias_info.is_write for arg in op._schema.arguments)
    if writes and "inplace" not in tags:
        tags.append("inplace")
    if torch.Tag.nondeterministic_seeded in op.tags:
        tags.append("random")
    return tuple(tags)


def _overload_schema(op: torch._ops.OpOverload) -> OpSchema:
    names = tuple(arg.name for arg in op._schema.arguments)
    return OpSchema(str(op._schema), names, _overload_doc(op))


def _overload_doc(op: torch._ops.OpOverload) -> str:
    """aten overloads have no docstring; the public function or method of the same name does."""
    if op.__doc__:
        return op.__doc__[:MAX_DOC]
    if op.namespace != "aten":
        return ""
    name = op._schema.name.split("::", 1)[1]
    places: list[tuple[Any, str]] = [(torch, name), (torch.nn.functional, name), (torch.Tensor, name)]
    places += [(space, name[len(prefix) :]) for prefix, space in _NAMESPACES.items() if name.startswith(prefix)]
    for place, attribute in places:
        doc = getattr(getattr(place, attribute, None), "__doc__", None)
        if isinstance(doc, str) and doc.strip():
            return inspect.cleandoc(doc)[:MAX_DOC]
    return ""


def _python_schema(text: str, function: Any) -> OpSchema | None:
    """A plain function: its signature where Python knows one, and its docstring."""
    if function is None:
        return None
    doc = getattr(function, "__doc__", None)
    try:
        signature = inspect.signature(function)
        args, shown = tuple(signature.parameters), f"{text}{signature}"
    except (TypeError, ValueError):
        args, shown = (), text
    return OpSchema(shown[:MAX_DOC], args, inspect.cleandoc(doc)[:MAX_DOC] if isinstance(doc, str) else "")
