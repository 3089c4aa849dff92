"""Python's own parser, for all that reads code in a server."""

from __future__ import annotations

import ast
import threading
from typing import Literal, overload

_one = threading.Lock()
"""In two threads at once it fails now and then in Python 3.11: SystemError, "AST constructor recursion depth mismatch"."""


@overload
def tree_of(source: str | bytes) -> ast.Module: ...
@overload
def tree_of(source: str | bytes, mode: Literal["eval"]) -> ast.Expression: ...
def tree_of(source: str | bytes, mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """`ast.parse`, by one thread at a time. Raises SyntaxError, ValueError, RecursionError or MemoryError as it does."""
    with _one:
        return ast.parse(source, mode=mode)
