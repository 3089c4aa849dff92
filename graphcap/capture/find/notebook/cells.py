"""Runs a notebook's code cell by cell, as a person does: what fails ends its cell, and the next one goes on.

So a plot without matplotlib, or a file of data that is not there, does not keep a model from being captured that other
cells make. An import that fails ends nothing but itself: the other names of its cell are still needed.
"""

from __future__ import annotations
import __future__

import ast
import itertools
import types
from collections.abc import Iterator
from pathlib import Path

from graphcap.graph.notebooks.cells import cells_of

MAX_KEPT = 20  # errors


def run_cells(path: Path, module: types.ModuleType) -> tuple[Exception, ...]:
    """Runs the file in the module. What was passed over, in order; raises SyntaxError, and what is no Exception."""
    text = path.read_text("utf-8")
    tree = ast.parse(text, str(path))
    starts = [cell.line for cell in cells_of(path.name, text)]
    flags = _features(tree)
    module.__dict__.setdefault("display", print)  # IPython's, which prints where there is no page
    errors: list[Exception] = []
    for _, cell in itertools.groupby(tree.body, lambda top: sum(start < top.lineno for start in starts)):
        errors += _run(cell, path, module, flags)
    return tuple(errors[:MAX_KEPT])


def _run(cell: Iterator[ast.stmt], path: Path, module: types.ModuleType, flags: int) -> Iterator[Exception]:
    for statement in cell:
        try:
            code = compile(ast.Module([statement], type_ignores=[]), str(path), "exec", flags, dont_inherit=True)
            exec(code, module.__dict__)
        except Exception as error:
            yield error
            if not isinstance(statement, ast.Import | ast.ImportFrom):
                return


def _features(tree: ast.Module) -> int:
    """The compiler flags of the cells' `from __future__ import`, which hold for all that follows."""
    imports = (top for top in tree.body if isinstance(top, ast.ImportFrom) and top.module == "__future__")
    features = (getattr(__future__, alias.name, None) for top in imports for alias in top.names)
    return sum({feature.compiler_flag for feature in features if feature is not None})
