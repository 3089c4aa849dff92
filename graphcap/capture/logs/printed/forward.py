"""The parts of a printed `forward`: its inputs, its body, what it returns, and the comments torch ties to them."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Sequence

from graphcap.capture.logs.printed.source import NoGraphError

_COMMENT = re.compile(r"#\s*(.*)$")
FILE = re.compile(r"^\s*# File: (?P<file>.+?):(?P<line>\d+)(?: in (?P<function>.+?))?, code: (?P<code>.*)$")
NO_FILE = re.compile(r"^\s*# No stacktrace found")


@dataclasses.dataclass(frozen=True)
class Input:
    """A placeholder: its name and target, what is printed as its type, torch's descriptor in the comment, its line."""

    name: str
    target: str
    line: int
    annotation: str = ""
    desc: str = ""


@dataclasses.dataclass(frozen=True)
class Returned:
    """One value returned: the expression, and torch's descriptor."""

    value: ast.expr
    desc: str = ""


@dataclasses.dataclass(frozen=True)
class Forward:
    """A printed forward, taken apart."""

    inputs: tuple[Input, ...]
    body: tuple[ast.stmt, ...]
    returned: tuple[Returned, ...]
    whole: ast.expr | None  # what stands behind `return`
    return_line: int


def forward_of(tree: ast.ClassDef, lines: Sequence[str]) -> Forward:
    """Raises NoGraphError."""
    found = next((each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == "forward"), None)
    if found is None:
        raise NoGraphError("a class in it has no forward")
    body = list(found.body)
    inputs = _packed(body, lines) or _plain(found, body, lines)
    end = next((each for each in body if isinstance(each, ast.Return)), None)
    whole = _flat(end.value) if end is not None and end.value is not None else None
    parts = whole.elts if isinstance(whole, ast.Tuple | ast.List) else [whole] if whole is not None else []
    returned = tuple(Returned(part, _comment(lines, part)) for part in parts)
    rest = tuple(each for each in body if not isinstance(each, ast.Return))
    return Forward(inputs, rest, returned, whole, end.lineno if end is not None else 0)


def _flat(value: ast.expr) -> ast.expr:
    """The list inside `pytree.tree_unflatten([...], self._out_spec)`."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "tree_unflatten":
        return value.args[0] if value.args else value
    return value


def _plain(forward: ast.FunctionDef, body: list[ast.stmt], lines: Sequence[str]) -> tuple[Input, ...]:
    """The parameters; a first statement `x = L_x_` gives one the name of its node."""
    given = [each for each in forward.args.args if each.arg != "self"]
    if forward.args.vararg is not None:
        given.append(forward.args.vararg)
    names = {each.arg: each.arg for each in given}
    while body and isinstance(first := body[0], ast.Assign) and isinstance(first.value, ast.Name):
        if first.value.id not in names or not isinstance(first.targets[0], ast.Name):
            break
        names[first.value.id] = first.targets[0].id
        body.pop(0)
    return tuple(
        Input(names[each.arg], each.arg, each.lineno, _type_of(each.annotation), _comment(lines, each)) for each in given
    )


def _packed(body: list[ast.stmt], lines: Sequence[str]) -> tuple[Input, ...]:
    """Inputs that are unpacked by `fx_pytree.tree_flatten_spec`: what stands before it declares them, one a line."""
    at = next((i for i, each in enumerate(body) if _unpacks(each)), None)
    if at is None:
        return ()
    unpacking = body[at]
    assert isinstance(unpacking, ast.Assign)
    target = unpacking.targets[0]
    names = [each.id for each in getattr(target, "elts", [target]) if isinstance(each, ast.Name)]
    declared = {}
    for each in body[:at]:
        name = each.target if isinstance(each, ast.AnnAssign) else each.value if isinstance(each, ast.Expr) else None
        if isinstance(name, ast.Name):
            annotation = _type_of(each.annotation) if isinstance(each, ast.AnnAssign) else ""
            declared[name.id] = Input(name.id, name.id, each.lineno, annotation, _comment(lines, each))
    del body[: at + 1]
    return tuple(declared.get(name, Input(name, name, unpacking.lineno)) for name in names)


def _unpacks(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "tree_flatten_spec"


def _type_of(annotation: ast.expr | None) -> str:
    return annotation.value if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str) else ""


def _comment(lines: Sequence[str], tree: ast.expr | ast.arg | ast.stmt) -> str:
    """What stands behind a value as a comment; it must be the last on its line."""
    if tree.end_lineno is None or tree.end_col_offset is None:
        return ""
    rest = lines[tree.end_lineno - 1].encode()[tree.end_col_offset :].decode(errors="replace")
    found = _COMMENT.match(rest.lstrip(" ,"))
    return found[1].strip() if found else ""
