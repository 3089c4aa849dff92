"""The body of a printed `forward` as calls: which node each statement makes, and what it calls with what."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from graphcap.capture.logs.printed.arguments import argument, dotted, text_of
from graphcap.capture.logs.printed.source import UNREADABLE
from graphcap.graph.document import Arg, Atom, Ref

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.Gt: "gt",
    ast.LtE: "le",
    ast.GtE: "ge",
}
_UNARY: dict[type[ast.unaryop], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
_IN_PLACE = {"and_": "iand", "or_": "ior"}

Op = Literal["get_attr", "call_function", "call_method", "call_module"]


@dataclasses.dataclass(frozen=True)
class Call:
    """What an expression does: the FX op, the target as printed, its arguments."""

    op: Op
    target: str
    args: tuple[Arg, ...] = ()
    kwargs: tuple[tuple[str, Arg], ...] = ()


@dataclasses.dataclass(frozen=True)
class Made:
    """A node that a statement makes. `call` is None for another name of an earlier value."""

    name: str
    call: Call | None
    line: int
    annotation: str = ""
    alias_of: str = ""


def made(body: Sequence[ast.stmt], names: Mapping[str, int], unreadable: Mapping[int, str]) -> Iterator[Made]:
    """The nodes of a body, in order; `names` grows while it is read. Cleanups (`x = None`) make none."""
    before: Call | None = None  # of an in-place operator, whose node is named by the next statement
    for statement in body:
        match statement:
            case ast.AugAssign(target=target, op=op, value=value):
                name = _BINARY[type(op)]
                name = _IN_PLACE.get(name, f"i{name}")
                before = Call("call_function", f"operator.{name}", (argument(target, names), argument(value, names)))
            case ast.Assign(targets=[ast.Subscript(value=held, slice=key)], value=value):
                args = (argument(held, names), argument(key, names), argument(value, names))
                before = Call("call_function", "operator.setitem", args)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if isinstance(value, ast.Constant) and value.value is None:
                    continue
                annotation = _annotation(statement)
                if before is not None and isinstance(value, ast.Name):
                    yield Made(name, before, statement.lineno, annotation)
                elif isinstance(value, ast.Name) and value.id == UNREADABLE:
                    yield Made(name, _unread(unreadable.get(statement.lineno, "")), statement.lineno, annotation)
                elif isinstance(value, ast.Name):
                    yield Made(name, None, statement.lineno, annotation, alias_of=value.id)
                else:
                    yield Made(name, call_of(value, names), statement.lineno, annotation)
                before = None


def _annotation(statement: ast.stmt) -> str:
    given = statement.annotation if isinstance(statement, ast.AnnAssign) else None
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""


def _unread(line: str) -> Call:
    return Call("call_function", "unreadable", (Atom("unreadable", line.strip()[:2_000]),))


def call_of(tree: ast.expr, names: Mapping[str, int]) -> Call:
    """What one expression does."""
    match tree:
        case ast.Call(func=func, args=args, keywords=keywords):
            if (read := dotted(tree)) and read.startswith("self."):
                return Call("get_attr", read[5:])
            given = tuple(argument(part, names) for part in args)
            named = tuple((each.arg or "**", argument(each.value, names)) for each in keywords)
            return _called(func, given, named, names)
        case ast.Subscript(value=held, slice=key):
            return Call("call_function", "operator.getitem", (argument(held, names), argument(key, names)))
        case ast.BinOp(left=left, op=op, right=right):
            return Call("call_function", f"operator.{_BINARY[type(op)]}", (argument(left, names), argument(right, names)))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return Call("call_function", f"operator.{_COMPARE[type(op)]}", (argument(left, names), argument(right, names)))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return Call("call_function", f"operator.{_UNARY[type(op)]}", (argument(operand, names),))
        case ast.Attribute(value=value, attr=attr):
            read = dotted(tree)
            if read and read.startswith("self."):
                return Call("get_attr", read[5:])
            return Call("call_function", "builtins.getattr", (argument(value, names), attr))
    return Call("call_function", "unreadable", (argument(tree, names),))


def _called(func: ast.expr, args: tuple[Arg, ...], kwargs: tuple[tuple[str, Arg], ...], names: Mapping[str, int]) -> Call:
    if isinstance(func, ast.Attribute):
        held = argument(func.value, names)
        if isinstance(held, Ref):
            return Call("call_method", func.attr, (held, *args), kwargs)
    name = dotted(func)
    if name is None:
        return Call("call_function", text_of(func), args, kwargs)
    if name.startswith("self."):
        return Call("call_module", name[5:], args, kwargs)
    return Call("call_function", name, args, kwargs)
