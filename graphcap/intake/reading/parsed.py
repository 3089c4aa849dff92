"""The code of a file as Python reads it, or why Python can not: a capture tells the same with Python's own words."""

from __future__ import annotations

import ast
import dataclasses

from graphcap.graph.python import tree_of


@dataclasses.dataclass(frozen=True)
class Fault:
    """Why there is no tree; line 0: no one line is at fault."""

    message: str
    line: int = 0


def parse(data: bytes) -> ast.Module | Fault:
    """The tree of a file."""
    try:
        return tree_of(data)
    except SyntaxError as error:
        return Fault(error.msg or "invalid syntax", error.lineno or 0)
    except (ValueError, RecursionError, MemoryError):
        return Fault("it is nested too deeply, or holds characters that are no code")
