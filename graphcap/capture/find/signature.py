"""What a model is called with: inputs of the form matched to its parameters, those a file names, or the lines to add."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map, tree_map_only

from graphcap.capture.find.inputs import Input, InputsError, TensorInput, parse_inputs
from graphcap.capture.find.opening.named import few_of
from graphcap.graph.inputs import FIELD

SEED = 0


@dataclasses.dataclass(frozen=True)
class Call:
    """What to call a model with."""

    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    dynamic_shapes: Any = None


def parameters(model: Any) -> list[inspect.Parameter] | None:
    """The parameters a caller gives; None when Python does not know them."""
    function = model.forward if isinstance(model, torch.nn.Module) else model
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def required(model: Any) -> list[str]:
    """Names of the parameters without a default."""
    return without_default(parameters(model) or [])


def said_of_no_inputs(model: Any) -> str:
    """What a rule says of a model that is called with nothing."""
    names = [p.name for p in parameters(model) or [] if p.default is not p.empty]
    return (
        f"called without inputs: {few_of(names)} may be left out, or given in {FIELD}" if names else "which takes no inputs"
    )


def without_default(known: Iterable[inspect.Parameter]) -> list[str]:
    """Names of those that a caller must give."""
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in known if p.default is p.empty and p.kind not in variadic]


def examples_in(module: types.ModuleType, suffix: str = "") -> Call:
    """`example_args`, `example_kwargs` and `dynamic_shapes` of a file; `suffix` `_2`: those of its second call.

    Raises InputsError.
    """
    names = vars(module)
    args, kwargs = names.get(f"example_args{suffix}", ()), names.get(f"example_kwargs{suffix}") or {}
    if not isinstance(kwargs, Mapping):
        kind = type(kwargs).__name__
        raise InputsError(f"`example_kwargs{suffix}` is a {kind}; it must be a dict of input names to values")
    placed = tuple(args) if isinstance(args, list | tuple) else (args,)
    return Call(placed, dict(kwargs), names.get("dynamic_shapes") or None)


def call_with(model: Any, text: str) -> Call:
    """The call that the *inputs* field describes; raises InputsError with the parameter at fault."""
    inputs = parse_inputs(text)
    known = parameters(model)
    positional, by_name = _place(inputs, known)
    _check(positional, by_name, known)
    torch.manual_seed(SEED)
    args = tuple(_make(item.value) for item in positional)
    kwargs = {name: _make(value) for name, value in by_name.items()}
    return Call(args, kwargs, _shapes(positional, by_name, known))


def _place(inputs: list[Input], known: list[inspect.Parameter] | None) -> tuple[list[Input], dict[str, Any]]:
    """Positional inputs in the order of the parameters, the rest by name."""
    positional = [item for item in inputs if not item.name]
    named = {item.name: item.value for item in inputs if item.name}
    for parameter in (known or [])[len(positional) :]:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD) or parameter.name not in named:
            break
        positional.append(Input(parameter.name, named.pop(parameter.name)))
    return positional, named


def _check(positional: list[Input], by_name: dict[str, Any], known: list[inspect.Parameter] | None) -> None:
    if known is None:
        return
    places = [p for p in known if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    shown = str(inspect.Signature(known))
    if len(positional) > len(places) and not any(p.kind == p.VAR_POSITIONAL for p in known):
        raise InputsError(f"{len(positional)} inputs by position, but the model takes {shown}")
    names = {p.name for p in known}
    if unknown := [name for name in by_name if name not in names and not any(p.kind == p.VAR_KEYWORD for p in known)]:
        raise InputsError(f"the model has no input {unknown[0]!r}; it takes {shown}")
    given = {p.name for p in places[: len(positional)]}
    if twice := given & by_name.keys():
        raise InputsError(f"{min(twice)!r} is given by position and by name")
    given |= by_name.keys()
    missing = [name for name in without_default(known) if name not in given]
    if missing:
        raise InputsError(f"no value for {', '.join(missing)}; the model takes {shown}")


def _make(value: Any) -> Any:
    return tree_map_only(TensorInput, TensorInput.make, value)


def _shapes(positional: list[Input], by_name: dict[str, Any], known: list[inspect.Parameter] | None) -> Any:
    """torch.export's dynamic_shapes for the named dimensions; None when there are none."""
    values = [item.value for item in positional] + list(by_name.values())
    if not any(isinstance(leaf, TensorInput) and leaf.dims for leaf in tree_leaves(values)):
        return None
    dims: dict[str, Any] = {}
    shapes = [tree_map(lambda leaf: _shape(leaf, dims), value) for value in values]
    if not by_name:
        return _grouped(shapes, known)
    names = [p.name for p in (known or [])[: len(positional)]] + list(by_name)
    return dict(zip(names, shapes, strict=False))


def _grouped(shapes: list[Any], known: list[inspect.Parameter] | None) -> tuple[Any, ...]:
    """export wants the shapes of `*args` as one tuple in their place."""
    for position, parameter in enumerate(known or ()):
        if parameter.kind == parameter.VAR_POSITIONAL:
            return (*shapes[:position], tuple(shapes[position:]))
    return tuple(shapes)


def _shape(value: Any, dims: dict[str, Any]) -> dict[int, Any] | None:
    if not isinstance(value, TensorInput):
        return None
    return {position: dims.setdefault(name, torch.export.Dim(name)) for position, name in value.dims}


def lines_to_add(model: Any, made: str) -> str:
    """The two lines that would make this file say what to capture; `made` is the expression for the model."""
    names = required(model)
    tensors = "torch.randn(2, 3), " * len(names)
    comment = f"  # {', '.join(names)}: with the shapes your model takes" if names else ""
    return f"model = {made}\nexample_args = ({tensors.strip()}){comment}"
