"""Values of simple expressions, without running them: literals, names that are known, arithmetic, fields of a config."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

UNKNOWN = None
"""What is told of an expression that cannot be read. The value None is as good as not known: no layer is as wide as that."""

LARGEST = 2**48  # beyond it no size of a tensor

OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
}


class Fields(dict[str, Any]):
    """An object by its fields: a config, `self`."""


def value_of(node: ast.expr | None, known: Mapping[str, Any], depth: int = 30) -> Any:
    """Numbers, text, lists, tuples, Fields; UNKNOWN for the rest. `known` gives the values of names."""
    if node is None or depth == 0:
        return UNKNOWN
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = value_of(node.value, known, depth - 1)
        return owner.get(node.attr) if isinstance(owner, Fields) else UNKNOWN
    if isinstance(node, ast.Tuple | ast.List):
        return [value_of(item, known, depth - 1) for item in node.elts]
    if isinstance(node, ast.Subscript):
        return _item(value_of(node.value, known, depth - 1), value_of(node.slice, known, depth - 1))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = value_of(node.operand, known, depth - 1)
        return -inner if isinstance(inner, int | float) else UNKNOWN
    if isinstance(node, ast.BinOp):
        return _calculated(node.op, value_of(node.left, known, depth - 1), value_of(node.right, known, depth - 1))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1:
        inner = value_of(node.args[0], known, depth - 1)
        return int(inner) if isinstance(inner, int | float) and abs(inner) < LARGEST else UNKNOWN
    return UNKNOWN


def _item(owner: Any, key: Any) -> Any:
    fits = isinstance(owner, list) and isinstance(key, int) and -len(owner) <= key < len(owner)
    return owner[key] if fits else UNKNOWN


def _calculated(kind: ast.operator, left: Any, right: Any) -> Any:
    """Of numbers only, and never a large one: `"a" * 10**9` and `9**9**9` stay unread."""
    found = OPERATORS.get(type(kind))
    if found is None or not all(isinstance(side, int | float) and abs(side) < LARGEST for side in (left, right)):
        return UNKNOWN
    try:
        return found(left, right)
    except ArithmeticError:
        return UNKNOWN


def bound(
    function: ast.FunctionDef | None, args: list[ast.expr], words: Mapping[str, ast.expr], outer: Mapping[str, Any]
) -> dict[str, Any]:
    """Values of a method's parameters for a call. `outer`: the names where it is called."""
    return {name: value_of(node, outer) for name, node in matched(function, args, words).items()}


def matched(function: ast.FunctionDef | None, args: list[ast.expr], words: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """What each parameter of a method gets in a call: given, else by default; none where neither is known."""
    if function is None:
        return {}
    names = [each.arg for each in [*function.args.posonlyargs, *function.args.args]]
    defaults = dict(zip(reversed(names), reversed(function.args.defaults), strict=False))
    defaults |= {each.arg: v for each, v in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if v}
    return defaults | dict(zip(names[1:], args, strict=False)) | dict(words)
