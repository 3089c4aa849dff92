"""Imports a submission and says what its target is, by hand for scripts: graphcap's own finding is not trusted here."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from tests.truth.facts import Place


@dataclass(frozen=True)
class Subject:
    """A model (or function) and what it is called with."""

    model: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    dynamic_shapes: Any = None
    program: torch.export.ExportedProgram | None = None  # the model is this program, exported already
    options: dict[str, Any] = field(default_factory=dict)  # of the capture, each with its value
    place: Place = Place("", {}, {})


SEED = 0  # graphcap seeds every capture with it, so that branches on random data go the same way

SCRIPTS: dict[str, Callable[[ModuleType], Subject]] = {
    "01_sin": lambda module: Subject(module.Sin(), (torch.randn(4),)),
    "08_graph_breaks": lambda module: Subject(
        module.normalize._torchdynamo_orig_callable, (torch.arange(8.0, requires_grad=True),)
    ),
}
"""Scripts that export or compile something themselves, by file name."""


def load(path: str, options: dict[str, Any]) -> Subject:
    """The target of a file, in the mode asked for."""
    torch.manual_seed(SEED)
    subject = _saved(path) if path.endswith(".pt2") else _imported(path, options["meta"])
    if options["mode"] != "as_written":
        subject.model.train(options["mode"] == "train")
    return replace(subject, options=options, place=Place.of(path, subject.model))


def _saved(path: str) -> Subject:
    program = torch.export.load(path)
    args, kwargs = program.example_inputs
    return Subject(program.module(), args, kwargs, program=program)


def _imported(path: str, meta: bool) -> Subject:
    """Imports the file under its own name, as `import` would, so that what it defines can be found by name."""
    name = Path(path).stem
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with torch.device("meta") if meta else contextlib.nullcontext():
        spec.loader.exec_module(module)
    return SCRIPTS[name](module) if name in SCRIPTS else _declared(module)


def _declared(module: ModuleType) -> Subject:
    """By the names of exportdb's convention."""
    return Subject(
        module.model,
        tuple(module.example_args),
        dict(getattr(module, "example_kwargs", None) or {}),
        getattr(module, "dynamic_shapes", None),
    )
