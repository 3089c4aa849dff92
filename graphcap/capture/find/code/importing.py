"""Imports a submitted Python file as a person would run it, while its calls to export and compile are watched."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import importlib.util
import os
import sys
import types
from collections.abc import Mapping
from pathlib import Path

import torch

from graphcap.capture.find.code.package import enter, place_of, root_of
from graphcap.capture.find.notebook.cells import run_cells
from graphcap.capture.find.signature import SEED
from graphcap.capture.find.watching.calls import Recorded, Watch
from graphcap.capture.find.watching.watching import says_what, watching
from graphcap.graph.notebooks.cells import JOINED

MAX_FILES = 1_000  # files of a work folder that are known by name


@dataclasses.dataclass(frozen=True)
class Imported:
    """A file that was run: its module (as far as it came), what it exported and compiled, and what stopped it."""

    module: types.ModuleType
    calls: tuple[Recorded, ...]
    calls_left_out: int
    error: BaseException | None
    called: tuple[Recorded, ...] = ()  # modules that it just calls, where it exports and compiles nothing
    passed_over: tuple[Exception, ...] = ()
    """What stopped cells of a notebook, whose next cell then went on."""


def submitted_files(folder: Path) -> dict[str, str]:
    """Absolute path -> submitted name for the files of the work folder, under each spelling a traceback may use."""
    found: dict[str, str] = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root) / name
            found[str(path)] = found[os.path.realpath(path)] = str(path.relative_to(folder))
            if len(found) >= 2 * MAX_FILES:
                return found
    return found


def import_file(path: Path, users: Mapping[str, str], *, meta: bool, main_part: bool) -> Imported:
    """Runs the file under its own name as a module. Whatever it raises is kept, not raised.

    With `main_part` also what stands under `if __name__ == "__main__":`, unless the rest named a model with its inputs.
    """
    torch.manual_seed(SEED)
    watch = Watch(users, eager=not says_what(path.read_bytes()))
    place = place_of(path, root_of(path, users.get(str(path), path.name)))
    sys.argv = [path.name]
    spec = importlib.util.spec_from_file_location(place.name, path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    error: BaseException | None = None
    passed_over: tuple[Exception, ...] = ()
    try:
        enter(place)
        sys.modules[place.name] = module  # Dynamo imports a function's module by name, inside cond for one
        with watching(watch), torch.device("meta") if meta else contextlib.nullcontext():
            if path.name.endswith(JOINED):
                passed_over = run_cells(path, module)
            else:
                spec.loader.exec_module(module)
            if main_part and not (hasattr(module, "model") and hasattr(module, "example_args")):
                _run_main_part(path, module)
    except BaseException as raised:  # sys.exit, KeyboardInterrupt and exceptions alike end the file, not us
        error = raised
    called = tuple(watch.called) if watch.eager else ()
    return Imported(module, tuple(watch.calls), watch.left_out, error, called, passed_over)


def _run_main_part(path: Path, module: types.ModuleType) -> None:
    """Runs the body of `if __name__ == "__main__":`, for scripts that do their work there."""
    tree = ast.parse(path.read_bytes(), str(path))
    for statement in tree.body:
        if isinstance(statement, ast.If) and _is_main_test(statement.test):
            body = ast.Module(statement.body, type_ignores=[])
            exec(compile(body, str(path), "exec"), module.__dict__)


def _is_main_test(test: ast.expr) -> bool:
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return False
    sides = (test.left, test.comparators[0])
    name = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return name and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
