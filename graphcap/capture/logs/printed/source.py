"""The text of a printed graph as a syntax tree. What Python can not read is blanked line by line, and counted: one bad
node never loses the graph."""

from __future__ import annotations

import ast
import dataclasses
import re
import warnings

MAX_UNREADABLE = 40  # lines: each costs a parse of the whole
UNREADABLE = "__unreadable__"
_CLASS = re.compile(r"^(?P<indent>\s*)class (?P<name>.+)\((?:torch\.nn\.Module|.*)\):\s*$")
_ASSIGNED = re.compile(r"^(?P<indent>\s*)(?P<name>[A-Za-z_]\w*)(?P<type>\s*: \"[^\"]*\")? = ")


class NoGraphError(Exception):
    """The text is no printed graph: why."""


@dataclasses.dataclass(frozen=True)
class Printed:
    """A text that was read: its lines, the tree of its outermost class, the printed name of each class by its line, and
    what could not be read by line."""

    lines: tuple[str, ...]
    tree: ast.ClassDef
    classes: dict[int, str]
    unreadable: dict[int, str]


def read(text: str) -> Printed:
    """Raises NoGraphError."""
    lines = text.split("\n")
    classes: dict[int, str] = {}
    code = [_class_line(line, number, classes) for number, line in enumerate(lines, 1)]
    unreadable: dict[int, str] = {}
    tree = _parsed(code, unreadable)
    found = next((each for each in tree.body if isinstance(each, ast.ClassDef)), None)
    if found is None:
        raise NoGraphError("it has no class with a forward")
    return Printed(tuple(lines), found, classes, unreadable)


def _class_line(line: str, number: int, classes: dict[int, str]) -> str:
    """`class <lambda>(torch.nn.Module):` is no Python; every class gets a name that is."""
    if (found := _CLASS.match(line)) is None:
        return line
    classes[number] = found["name"]
    return f"{found['indent']}class Printed:"


def _parsed(code: list[str], unreadable: dict[int, str]) -> ast.Module:
    while True:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # `1 is 1`, invalid escapes: not ours
                return ast.parse("\n".join(code))
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(code) or len(unreadable) >= MAX_UNREADABLE or at + 1 in unreadable:
                raise NoGraphError(f"it is no Python that can be read: {error.msg} (line {at + 1})") from None
            unreadable[at + 1] = code[at]
            code[at] = _blank(code[at])
        except (ValueError, RecursionError, MemoryError) as error:
            raise NoGraphError(f"it can not be read: {error or type(error).__name__}") from None


def _blank(line: str) -> str:
    found = _ASSIGNED.match(line)
    if found is None:
        return line[: len(line) - len(line.lstrip())] + "pass"
    return f"{found['indent']}{found['name']}{found['type'] or ''} = {UNREADABLE}"
