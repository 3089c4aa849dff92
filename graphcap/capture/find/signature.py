"""What a model is called with: inputs of the form matched to its parameters, those a file names, or the lines to add."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Mapping
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map, tree_map_only

from graphcap.capture.find.inputs import Input, InputsError, TensorInput, parse_inputs
from graphcap.capture.find.named import few_of
from graphcap.capture.find.parameters.records import as_export_matches, made, type_of, without_default
from graphcap.capture.find.parameters.suggested import code_of, suggested
from graphcap.graph.inputs import FIELD

SEED = 0
NOTHING: Mapping[str, str] = {}


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
    """Names of the parameters without a default; `*xs`, where that is all that can be given by place."""
    known = parameters(model) or []
    by_place = [p for p in known if p.kind not in (p.VAR_KEYWORD, p.KEYWORD_ONLY)]
    if len(by_place) == 1 and by_place[0].kind == by_place[0].VAR_POSITIONAL:
        return [f"*{by_place[0].name}", *without_default(known)]
    return without_default(known)


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
    kinds = _kinds(model, known)
    args = tuple(made(_make(item.value), kinds.get(item.name), item.name) for item in _named(positional, known))
    kwargs = {name: made(_make(value), kinds.get(name), name) for name, value in by_name.items()}
    return Call(args, kwargs, _shapes(positional, by_name, known, [*args, *kwargs.values()]))


def _kinds(model: Any, known: list[inspect.Parameter] | None) -> dict[str, Any]:
    """What annotates each parameter."""
    function = model.forward if isinstance(model, torch.nn.Module) else model
    return {each.name: type_of(each, function) for each in known or ()}


def _named(positional: list[Input], known: list[inspect.Parameter] | None) -> list[Input]:
    """Each under the name of the parameter it stands for, as far as there are any."""
    names = [each.name for each in known or () if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    names += [""] * (len(positional) - len(names))
    return [Input(item.name or name, item.value) for item, name in zip(positional, names, strict=False)]


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


def _shapes(
    positional: list[Input], by_name: dict[str, Any], known: list[inspect.Parameter] | None, given: list[Any]
) -> Any:
    """torch.export's dynamic_shapes for the named dimensions; None when there are none. `given`: what was made of each."""
    values = [item.value for item in positional] + list(by_name.values())
    if not any(isinstance(leaf, TensorInput) and leaf.dims for leaf in tree_leaves(values)):
        return None
    dims: dict[str, Any] = {}
    trees = (tree_map(lambda leaf: _shape(leaf, dims), value) for value in values)
    shapes = [as_export_matches(tree, each) for tree, each in zip(trees, given, strict=True)]
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


def needed(model: Any, names: list[str], told: Mapping[str, str] = NOTHING) -> dict[str, str]:
    """The inputs `names` as the *inputs* field writes them, as far as anything tells; `told`: what the code does."""
    return suggested(model, names, told, _kinds(model, parameters(model)))


def in_code(model: Any, inputs: Mapping[str, str]) -> dict[str, str]:
    """The same in Python."""
    kinds = _kinds(model, parameters(model))
    return {name: code_of(text, kinds.get(name)) for name, text in inputs.items()}


def lines_to_add(model: Any, made_by: str, told: Mapping[str, str] = NOTHING) -> str:
    """The lines that would make this file say what to capture; `made_by` is the expression for the model."""
    names = required(model)
    texts = in_code(model, needed(model, names, told))
    words = {each.name for each in parameters(model) or () if each.kind == each.KEYWORD_ONLY}
    values = "".join(f"{text}, " for name, text in texts.items() if name not in words)
    named = ", ".join(f"{name!r}: {text}" for name, text in texts.items() if name in words)
    comment = f"  # {', '.join(names)}: with the shapes your model takes" if names else ""
    first = "# below `model`:" if made_by == "model" else f"model = {made_by}"
    more = f"\nexample_kwargs = {{{named}}}" if named else ""
    return f"{first}\nexample_args = ({values.strip()}){more}{comment}"


def field_lines(inputs: Mapping[str, str]) -> str:
    """Inputs by name as lines of the *inputs* field, where one of `*xs` has no name."""
    return "\n".join(text if name.startswith("*") else f"{name}: {text}" for name, text in inputs.items())


def without_inputs(model: Any) -> str:
    """What a rule says of a model that is called with nothing."""
    names = [p.name for p in parameters(model) or [] if p.default is not p.empty]
    return (
        f"called without inputs: {few_of(names)} may be left out, or given in {FIELD}" if names else "which takes no inputs"
    )


def without_forward(model: Any) -> bool:
    """A module that has none of its own, as a LightningModule may that is only trained."""
    return isinstance(model, torch.nn.Module) and getattr(model.forward, "__func__", None) is torch.nn.Module.forward


def lines_for_a_method(model: torch.nn.Module, made_by: str) -> str:
    """The lines that capture another method of the module in place of `forward`: its step, if it has one."""
    classes = [base for base in type(model).__mro__ if base.__module__ != torch.nn.Module.__module__]
    # as they are written: a property may raise, as `trainer` of a LightningModule does
    own = [name for base in classes for name, value in vars(base).items() if inspect.isfunction(value)]
    methods = [name for name in own if not name.startswith("_")]
    name = next((name for name in methods if name.endswith("step")), methods[0] if methods else "")
    if not name:
        return "Write its `forward`, or capture the module that it is a part of."
    tensors = "".join(
        "torch.randn(2, 3), " for _ in without_default(inspect.signature(getattr(model, name)).parameters.values())
    )
    first = "" if made_by == "model" else f"model = {made_by}\n"
    return f"{first}model.forward = model.{name}\nexample_args = ({tensors.strip()})  # what {name} takes"
