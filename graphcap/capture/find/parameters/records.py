"""Parameters annotated with a record, a dataclass or a NamedTuple: a dict of its fields in the *inputs* field makes one."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from graphcap.capture.find.inputs import InputsError
from graphcap.graph.inputs import NOTHING_TOLD


def type_of(parameter: inspect.Parameter, function: Any) -> Any:
    """The class that annotates it, out of `Optional[...]` too; None where there is none, or it can not be told."""
    found = parameter.annotation
    if isinstance(found, str):
        owner = sys.modules.get(getattr(function, "__module__", ""))
        try:
            found = eval(found, dict(vars(owner)) if owner else {})
        except Exception:  # a name that is there for the type checker only, or not at all
            return None
    if typing.get_origin(found) in (typing.Union, types.UnionType):
        found = next((each for each in typing.get_args(found) if each is not type(None)), None)
    return None if found is inspect.Parameter.empty else found


def fields_of(kind: Any) -> dict[str, Any] | None:
    """The fields of a record with their annotations, those with a default too; None of all else."""
    if not isinstance(kind, type):
        return None
    if dataclasses.is_dataclass(kind):
        return {field.name: field.type for field in dataclasses.fields(kind) if field.init}
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return {name: kind.__annotations__.get(name) for name in kind._fields}
    return None


def needed_by(kind: Any) -> list[str]:
    """The names that making one takes: parameters without a default."""
    try:
        return without_default(inspect.signature(kind).parameters.values())
    except (TypeError, ValueError):
        return []


def without_default(known: Iterable[inspect.Parameter]) -> list[str]:
    """Names of those that a caller must give."""
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in known if p.default is p.empty and p.kind not in variadic]


def made(value: Any, kind: Any, name: str) -> Any:
    """The record of `value`, where that is a dict and `kind` a record; all else as it is. Raises InputsError, or what the
    class raises.
    """
    fields = fields_of(kind)
    if fields is None or not isinstance(value, Mapping):
        return value
    takes = f"{name} is a {kind.__name__}({', '.join(fields)})"
    if unknown := [each for each in value if each not in fields]:
        raise InputsError(f"{takes}: it has no {unknown[0]!r}")
    if missing := [each for each in needed_by(kind) if each not in value]:
        raise InputsError(f"{takes}: no value for {', '.join(missing)}")
    return kind(**value)


def as_export_matches(shapes: Any, record: Any) -> Any:
    """The dynamic shapes of a record's fields in the form that torch.export holds against it: a NamedTuple in the same, a
    dataclass in a list without the fields that are None, as `register_dataclass` flattens it. All else as it is.
    """
    fields = fields_of(type(record))
    if fields is None or not isinstance(shapes, Mapping):
        return shapes
    if dataclasses.is_dataclass(record):
        return [shapes.get(name) for name in fields if getattr(record, name) is not None]
    return type(record)(*(shapes.get(name) for name in fields))


def field_text(kind: Any) -> str:
    """What to write in the *inputs* field for it, where nothing else is known."""
    if fields := fields_of(kind):
        return f"{{{', '.join(f'{name!r}: {NOTHING_TOLD}' for name in fields)}}}"
    return f"[{NOTHING_TOLD}, {NOTHING_TOLD}]" if typing.get_origin(kind) is list else NOTHING_TOLD


def construction_text(kind: type) -> str:
    """How one is made, as far as annotations tell: `Net(config=Config(dim=...), out=...)`."""
    known = inspect.signature(kind).parameters
    arguments = (f"{name}={_argument_text(type_of(known[name], kind))}" for name in needed_by(kind))
    return f"{kind.__name__}({', '.join(arguments)})"


def _argument_text(kind: Any) -> str:
    """Of a class of the person's own how it is made, of all else `...`."""
    if not isinstance(kind, type) or kind.__module__.partition(".")[0] in ("builtins", "typing", "collections", "torch"):
        return "..."
    return f"{kind.__name__}({', '.join(f'{name}=...' for name in needed_by(kind))})"


def usual_arguments(kind: type) -> dict[str, type] | None:
    """The classes that make what it needs, each without arguments, as a config with defaults is made; empty where it needs
    nothing, None where an argument can not be made so.
    """
    known = inspect.signature(kind).parameters if (needed := needed_by(kind)) else {}
    found = {name: type_of(known[name], kind) for name in needed}
    return found if all(_is_config(each, kind) for each in found.values()) else None


def _is_config(kind: Any, user: type) -> bool:
    """A class of the same code, no module, that is made without arguments."""
    own = isinstance(kind, type) and kind.__module__.partition(".")[0] == user.__module__.partition(".")[0]
    return own and not issubclass(kind, torch.nn.Module) and not needed_by(kind)
