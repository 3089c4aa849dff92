"""A module that was opened, with the inputs of the form or those that the code beside it names, as a candidate."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from typing import Any

import torch

from graphcap.capture.find.code.package import enter, place_of
from graphcap.capture.find.signature import (
    Call,
    call_with,
    examples_in,
    field_lines,
    in_code,
    needed,
    required,
    without_inputs,
)
from graphcap.capture.find.targets import Finding, one_target
from graphcap.graph.document import Failure, Options
from graphcap.graph.inputs import FIELD


def candidate_of(model: Any, rule: str, options: Options, beside: Call | None) -> Finding:
    """With the inputs of the form; else `beside`, those of the code; else none, where it needs none. Raises InputsError."""
    with torch.device("meta" if options.meta else "cpu"):
        if options.inputs.strip():
            return one_target(model, call_with(model, options.inputs), f"{rule}, with the inputs given")
        if beside is not None:
            return one_target(model, beside, f"{rule}, with `example_args` of the code beside it")
    if names := required(model):
        return inputs_needed(f"{rule}: it needs inputs ({', '.join(names)})", names, model)
    return one_target(model, Call(), f"{rule}, {without_inputs(model)}")


def inputs_needed(what: str, names: list[str], model: Any) -> Finding:
    """What to write into the form, or into a file that lies beside."""
    inputs = needed(model, names)
    code = ", ".join(in_code(model, inputs).values())
    hints = (
        f"Fill in {FIELD}, with the shapes your model takes:\n{field_lines(inputs)}",
        f"or send a file of Python beside it that gives them:\nexample_args = ({code},)",
    )
    return Finding(failures=(Failure("nothing-to-capture", f"{what}.", hints=hints),))


def inputs_beside(root: Path) -> Call | None:
    """Those of the first file in the work folder that names any.

    The file is imported, where it was not yet. Raises what it raises, and InputsError.
    """
    for path in sorted(root.rglob("*.py")):
        if "example_args" in names_given(path):
            return examples_in(import_beside(path, root))
    return None


def import_beside(path: Path, root: Path) -> Any:
    """The module of a file in the work folder."""
    place = place_of(path, root)
    known = {getattr(module, "__file__", None): module for module in list(sys.modules.values())}
    if str(path) in known:
        return known[str(path)]
    enter(place)
    if place.name.rpartition(".")[2] == path.stem:
        return __import__(place.name, fromlist=["*"])
    spec = importlib.util.spec_from_file_location(place.name, path)  # `my-net.py`, `code.py`: no import finds it
    assert spec is not None and spec.loader is not None, path
    sys.modules[place.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names_given(path: Path) -> frozenset[str]:
    """The names that a file assigns, and the classes and functions it defines, at module level; read, not run."""
    try:
        body = ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    targets = [target for top in body if isinstance(top, ast.Assign) for target in top.targets]
    assigned = {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(assigned | {top.name for top in body if isinstance(top, ast.ClassDef | ast.FunctionDef)})
