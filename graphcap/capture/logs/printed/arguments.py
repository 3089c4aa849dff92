"""Expressions of a printed graph as arguments of the document. Total: what has no word of its own is an `Atom`."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Literal

from graphcap.graph.document import Arg, Atom, Cut, Map, Ref, Seq

MAX_DEPTH = 24  # graphcap.graph.check refuses 32
MAX_TEXT = 2_000  # characters of a string constant
MAX_ITEMS = 1_000  # a list of constants longer than this is a table of data
HEAD = 200
INT64 = 2**63

_LAYOUTS = ("strided", "sparse_coo", "sparse_csr", "sparse_csc")
_FORMATS = ("preserve_format", "contiguous_format", "channels_last", "channels_last_3d")
_NUMBERS = ("float", "int", "bool", "complex", "uint", "bfloat", "quint", "qint", "half", "double", "long")


def argument(tree: ast.expr, names: Mapping[str, int], depth: int = 0) -> Arg:
    """One argument; `names` numbers the nodes that can be read."""
    if depth >= MAX_DEPTH:
        return Atom("object", "nested too deeply to show")
    match tree:
        case ast.Name(id=name):
            return Ref(names[name]) if name in names else _named(name)
        case ast.Constant(value=value):
            return _constant(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() | complex() as value)):
            return _constant(-value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id="inf")):
            return Atom("float", "-inf")
        case ast.Tuple(elts=items) | ast.List(elts=items):
            kind: Literal["tuple", "list"] = "tuple" if isinstance(tree, ast.Tuple) else "list"
            if len(items) > MAX_ITEMS and not any(isinstance(part, ast.Name) for part in items):
                return Cut(kind, len(items), text_of(tree)[:HEAD])
            parts = tuple(argument(part, names, depth + 1) for part in items)
            return Seq(kind, parts)
        case ast.Dict(keys=keys, values=values):
            pairs = ((_key(key), argument(value, names, depth + 1)) for key, value in zip(keys, values, strict=True))
            return Map(tuple(pairs))
        case ast.Slice(lower=lower, upper=upper, step=step):
            ends = (lower, upper, step)
            return Seq("slice", tuple(None if end is None else argument(end, names, depth + 1) for end in ends))
        case ast.Call(func=ast.Name(id="slice"), args=args) if 1 <= len(args) <= 3:
            given = tuple(argument(part, names, depth + 1) for part in args)
            full = (None, given[0], None) if len(given) == 1 else (*given, None)[:3]
            return Seq("slice", full)
        case ast.Call(func=ast.Name(id="device")):
            return Atom("device", _device(tree))
        case ast.Attribute():
            return _dotted(tree)
    refs = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in names]
    if refs:  # an expression over nodes: what it reads must stay an edge
        kept = tuple(Ref(names[name]) for name in dict.fromkeys(refs))
        return Seq("tuple", (Atom("expression", text_of(tree)), *kept))
    return Atom("object", text_of(tree))


def dotted(tree: ast.expr) -> str | None:
    """`torch.ops.aten.add.Tensor` of a chain of attributes; also `getattr(self, "0").weight`. None for anything else."""
    parts: list[str] = []
    while True:
        match tree:
            case ast.Attribute(value=value, attr=attr):
                parts.append(attr)
                tree = value
            case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(attr))], keywords=[]):
                parts.append(attr)
                tree = value
            case ast.Name(id=name):
                return ".".join((name, *reversed(parts)))
            case _:
                return None


def text_of(tree: ast.AST) -> str:
    """The expression as Python, cut."""
    try:
        text = ast.unparse(tree)
    except (RecursionError, ValueError):
        return "could not be read"
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "..."


def _named(name: str) -> Arg:
    return Atom("float", name) if name in ("inf", "nan") else Atom("name", name)


def _constant(value: object) -> Arg:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -INT64 <= value < INT64 else Atom("int", hex(value)[:MAX_TEXT])
    if isinstance(value, float):
        return value if math.isfinite(value) else Atom("float", repr(value))
    if isinstance(value, str):
        clean = value.encode("utf-8", "backslashreplace").decode()
        return clean if len(clean) <= MAX_TEXT else Cut("str", len(clean), clean[:HEAD])
    return Atom("ellipsis" if value is ... else type(value).__name__, str(value)[:MAX_TEXT])


def _key(key: ast.expr | None) -> str:
    if isinstance(key, ast.Constant):
        return str(key.value)[:MAX_TEXT]
    return "**" if key is None else text_of(key)


def _device(call: ast.Call) -> str:
    """`cuda:0` for `device(type='cuda', index=0)`."""
    given = {each.arg: each.value for each in call.keywords}
    values = [*call.args, *(given[name] for name in ("type", "index") if name in given)]
    return ":".join(str(value.value) if isinstance(value, ast.Constant) else text_of(value) for value in values)


def _dotted(tree: ast.Attribute) -> Arg:
    name = dotted(tree)
    if name is None:
        return Atom("object", text_of(tree))
    last = name.rsplit(".", 1)[1]
    if name.startswith("torch.") and name.count(".") == 1:
        if last in _LAYOUTS:
            return Atom("layout", name)
        if last in _FORMATS:
            return Atom("memory_format", name)
        if last.startswith(_NUMBERS):
            return Atom("dtype", name)
    return Atom("op" if name.startswith("torch.ops.") else "function", name.removeprefix("torch.ops."))
