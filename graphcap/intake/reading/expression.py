"""The option `construct`, such as `Net(10, hidden=64)` or the name of a function: read, and told where it cannot be."""

from __future__ import annotations

import ast
import dataclasses

from graphcap.graph.python import tree_of

MAX_CHARACTERS = 2_000  # nobody types more; deep nesting costs Python's parser its stack


@dataclasses.dataclass(frozen=True)
class Construction:
    """A call: the dotted name that is called and the arguments as they are written; `name` "" for those by place.

    `called` False: the name alone, of a function or of a model that is made already.
    """

    name: str
    arguments: tuple[tuple[str, ast.expr], ...] = ()
    called: bool = True


def construct_fault(text: str) -> str:
    """What is wrong with it and where, in words; "" when nothing is."""
    try:
        read_construct(text)
    except ValueError as error:
        return str(error)
    return ""


def read_construct(text: str) -> Construction | None:
    """The call or the name in the text; None when there is only blank space. Raises ValueError with line and column."""
    if not text.strip():
        return None
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"column {MAX_CHARACTERS + 1}: it has {len(text)} characters; the limit is {MAX_CHARACTERS}")
    try:
        body = tree_of(text.strip(), "eval").body
    except SyntaxError as error:
        raise ValueError(f"line {error.lineno or 1}, column {error.offset or 1}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError):
        raise ValueError("line 1, column 1: Python can not read it") from None
    if name := dotted(body):
        return Construction(name, called=False)
    if not isinstance(body, ast.Call) or not dotted(body.func):
        raise ValueError("line 1, column 1: expected a call such as Net(10, hidden=64), or a function's name")
    return construction(body)


def construction(call: ast.Call) -> Construction:
    """The call, apart."""
    places, words = [("", value) for value in call.args], [(word.arg or "**", word.value) for word in call.keywords]
    return Construction(dotted(call.func), (*places, *words))


def dotted(node: ast.expr) -> str:
    """`torch.nn.Linear` of the expression with that name; "" of any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
