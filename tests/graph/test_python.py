"""Code is read by one thread at a time."""

from __future__ import annotations

import ast
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphcap.graph.python import tree_of


def test_two_threads_never_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, most = threading.Semaphore(1), []
    parse = ast.parse

    def counted(source: str, mode: str) -> ast.AST:
        most.append(reading.acquire(blocking=False))
        time.sleep(0.01)
        reading.release()
        return parse(source, mode=mode)

    monkeypatch.setattr(ast, "parse", counted)
    with ThreadPoolExecutor(4) as threads:
        trees = list(threads.map(tree_of, ["a = 1"] * 8))
    assert most == [True] * 8 and [ast.unparse(tree) for tree in trees] == ["a = 1"] * 8
    assert ast.unparse(tree_of("a + 1", "eval")) == "a + 1"


def test_what_is_no_code_is_told_as_python_does() -> None:
    with pytest.raises(SyntaxError, match="was never closed"):
        tree_of("(")
