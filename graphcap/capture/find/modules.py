"""The one nn.Module of a file that says no more than that: in a variable, or a class that can be made without arguments."""

from __future__ import annotations

import dataclasses
import types
from typing import Any

import torch
from torch._dynamo.eval_frame import OptimizedModule

from graphcap.capture.find.parameters.records import construction_text, needed_by, usual_arguments
from graphcap.capture.find.signature import lines_to_add
from graphcap.capture.find.watching.compiles import COMPILED_FROM

MAX_NAMED = 5
PREFERRED = ("model", "net", "network", "module", "m")

LINES = "model = MyModule()\nexample_args = (torch.randn(2, 3),)"
"""What to add to a file that says nothing of what to capture."""


class NoModule(Exception):
    """There is none, or not just one. The message says what was found instead; `lines` are what to add, or else what to give
    as `construct`."""

    def __init__(self, message: str, lines: str, construct: str = "") -> None:
        super().__init__(message)
        self.lines = (lines, f"or choose it in the form, the option construct:\n{construct}") if construct else (lines,)


@dataclasses.dataclass(frozen=True)
class Made:
    """What is captured, the expression that gives it in the file, and how it was found."""

    model: Any
    expression: str
    rule: str


def uncompiled(value: object) -> object:
    """What is inside what torch.compile returned for it; anything else as it is. Routes compile it themselves."""
    while True:
        if isinstance(value, OptimizedModule):
            value = value._orig_mod
        elif isinstance(value, types.FunctionType) and hasattr(value, COMPILED_FROM):
            value = getattr(value, COMPILED_FROM)
        else:
            return value


def uncompiled_inside(value: object) -> object:
    """The same of a module that was read from a file, and of each part of it: its parts are put in place."""
    value = uncompiled(value)
    if isinstance(value, torch.nn.Module):
        for parent in list(value.modules()):
            for name, child in parent._modules.items():
                parent._modules[name] = uncompiled(child)  # type: ignore[assignment]
    return value


def module_in(module: types.ModuleType) -> Made | None:
    """Variables first, then classes; None where there are none of either. Raises NoModule where there is not just one,
    or whatever a constructor raises.
    """
    values = {name: uncompiled(value) for name, value in vars(module).items()}
    variables = {name: value for name, value in values.items() if isinstance(value, torch.nn.Module)}
    if variables:
        return _variable(variables)
    return _class(module)


def _variable(variables: dict[str, torch.nn.Module]) -> Made:
    inner = {id(child) for value in variables.values() for child in value.modules() if child is not value}
    outer: dict[int, str] = {}
    for name, value in variables.items():
        if id(value) not in inner:
            outer.setdefault(id(value), name)
    names = list(outer.values())
    preferred = [name for name in PREFERRED if name in names]
    if len(names) > 1 and not preferred:
        raise NoModule(
            f"the file has several modules ({', '.join(names)}); which one?",
            f"model = {names[0]}  # or {', '.join(names[1:MAX_NAMED])}",
        )
    name = preferred[0] if preferred else names[0]
    return Made(variables[name], name, f"the nn.Module in the variable `{name}`")


def _class(module: types.ModuleType) -> Made | None:
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, torch.nn.Module) and value.__module__ == module.__name__
    ]
    if not classes:
        return None
    free = {cls: usual for cls in classes if (usual := usual_arguments(cls)) is not None}
    if not free:
        told = "; ".join(
            f"class {cls.__name__} needs constructor arguments ({', '.join(needed_by(cls))})" for cls in classes
        )
        made = construction_text(classes[-1])
        raise NoModule(told, f"model = {made}\nexample_args = (torch.randn(2, 3),)", made)
    models = _outermost([cls(**{name: kind() for name, kind in usual.items()}) for cls, usual in free.items()])
    if len(models) > 1:
        names = [type(model).__name__ for model in models]
        told = f"several classes can be made without arguments ({', '.join(names)}); which one?"
        last = construction_text(type(models[-1]))
        raise NoModule(told, lines_to_add(models[-1], last), last)
    cls = type(models[0])
    arguments = ", ".join(f"{name}={kind.__name__}()" for name, kind in free[cls].items())
    how = f"with {arguments}" if arguments else "without arguments"
    return Made(models[0], f"{cls.__name__}({arguments})", f"the class {cls.__name__}, made {how}")


def _outermost(models: list[torch.nn.Module]) -> list[torch.nn.Module]:
    """Those whose class is no part of another's, by composition or as a base class."""
    parts = {type(child) for model in models for child in model.modules() if child is not model}
    bases = {base for model in models for base in type(model).__mro__[1:]}
    return [model for model in models if type(model) not in parts | bases] or models
