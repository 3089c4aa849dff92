"""What an exported program is called with: the inputs it carries, those of the form, or made as its placeholders say."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import torch
from torch._export.utils import _check_input_constraints_for_graph
from torch.export.graph_signature import ConstantArgument, InputKind
from torch.fx.experimental.symbolic_shapes import guarding_hint_or_throw
from torch.utils._pytree import tree_flatten_with_path, tree_map, tree_unflatten

from graphcap.capture.failures import exception_text
from graphcap.capture.find.inputs import DTYPES, TensorInput
from graphcap.capture.find.signature import SEED, call_with
from graphcap.capture.target.loaded import Arguments
from graphcap.graph.inputs import FIELD, SHORT

META = torch.device("meta")
_NAMES = {DTYPES[full]: short for short, full in reversed(SHORT.items())}


@dataclasses.dataclass(frozen=True)
class Called:
    """A program with its arguments; `missing` says why there are none that fit. `words` go to the rule."""

    program: torch.export.ExportedProgram
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    missing: str = ""
    words: str = ""


def called(program: torch.export.ExportedProgram, inputs: str = "", *, meta: bool = False) -> Called:
    """`inputs` is the field of the form. Where weights have no values, or with `meta`, all of it is put on the meta device.

    Raises InputsError where names or numbers of inputs do not fit.
    """
    empty = not meta and _without_values(program)
    words = "; its weights have no values, so it is captured on the meta device" if empty else ""
    none = _no_inputs(program)
    if meta or empty:
        program = on_meta(program)
    with torch.device("meta" if meta or empty else "cpu"):
        if inputs.strip():
            found = _given(program, inputs)
        elif program.example_inputs is not None:
            args, kwargs = program.example_inputs
            found = Called(program, tuple(args), dict(kwargs or {}))
        else:
            found = _made_for(program, none)
    return dataclasses.replace(found, words=found.words + words)


def _no_inputs(program: torch.export.ExportedProgram) -> str:
    """Why it carries no example inputs that it can be called with; "" where it does."""
    match program.example_inputs:
        case (tuple() | list(), dict() | None):
            return ""
        case None:
            return "it carries no example inputs"
        case other:
            program.example_inputs = None  # torch itself would stumble over them when it decomposes
            kind = type(other).__name__
            return (
                f"its example inputs are a {kind}, not what it is called with by position and by name (a tuple and a dict)"
            )


def _given(program: torch.export.ExportedProgram, inputs: str) -> Called:
    call = call_with(program.module(), inputs)
    words = "; with the inputs given"
    if call.dynamic_shapes is not None:
        words += "; which dimensions are dynamic is as it was exported"
    args, kwargs = _by_keyword(program, call.args, call.kwargs)
    if refused := _refused(program, args, kwargs):
        return Called(program, missing=refused, words=words)
    return Called(program, args, kwargs, words=words)


def _by_keyword(program: torch.export.ExportedProgram, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Arguments:
    """What the program was exported with by keyword is given so: the signature of its module has every input by place."""
    by_place, by_name = tree_unflatten(_user_inputs(program), program.call_spec.in_spec)
    places = len(by_place)
    return args[:places], {**dict(zip(by_name, args[places:], strict=False)), **kwargs}


def _made_for(program: torch.export.ExportedProgram, none: str) -> Called:
    try:
        args, kwargs = made_inputs(program)
    except Exception as error:  # of a custom object, or with a size that has no example
        why = f"none can be made as its placeholders say ({exception_text(error)[:200]})"
        return Called(program, missing=f"the ExportedProgram cannot be run: {none}, and {why}. Fill in {FIELD}")
    return Called(program, args, kwargs, words=f"; {none}: drawn ones of the shapes it was exported with are used")


def made_inputs(program: torch.export.ExportedProgram) -> Arguments:
    """Tensors of the dtypes and shapes of the program's placeholders, at the sizes it was exported with; numbers as they
    were."""
    torch.manual_seed(SEED)
    args, kwargs = tree_unflatten([_made(value) for value in _user_inputs(program)], program.call_spec.in_spec)
    return tuple(args), dict(kwargs)


def _made(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return TensorInput(value.dtype, _sizes(value)).make()
    return int(guarding_hint_or_throw(value)) if isinstance(value, torch.SymInt) else value


def _user_inputs(program: torch.export.ExportedProgram) -> list[Any]:
    """The fake tensors, symbols and constants the program takes from its caller, in order."""
    values = {node.name: node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"}
    specs = [spec for spec in program.graph_signature.input_specs if spec.kind is InputKind.USER_INPUT]
    return [spec.arg.value if isinstance(spec.arg, ConstantArgument) else values[spec.arg.name] for spec in specs]


def _sizes(tensor: torch.Tensor) -> tuple[int, ...]:
    return tuple(int(guarding_hint_or_throw(size)) if isinstance(size, torch.SymInt) else int(size) for size in tensor.shape)


def _refused(program: torch.export.ExportedProgram, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Torch's own complaint about inputs that are not as the program was exported, and what to write; else ""."""
    inputs = len(_user_inputs(program))  # they are the last placeholders
    placeholders = [node for node in program.graph.nodes if node.op == "placeholder"]
    places = tree_flatten_with_path((args, dict(kwargs)))[0]
    try:
        program._get_flat_args_with_check(args, dict(kwargs))  # type: ignore[no-untyped-call]
        _check_input_constraints_for_graph(placeholders[len(placeholders) - inputs :], places, program.range_constraints)
    except Exception as error:  # torch's words for each kind of misfit
        return (
            f"the program does not take these inputs: {exception_text(error).strip().removesuffix('.')}.\n{_hint(program)}"
        )
    return ""


def _hint(program: torch.export.ExportedProgram) -> str:
    args, kwargs = tree_unflatten(_user_inputs(program), program.call_spec.in_spec)
    names = program.module_call_graph[0].signature
    order = (names.forward_arg_names if names else None) or [*(f"args_{i}" for i in range(len(args))), *kwargs]
    written = [f"{name}: {_written(value)}" for name, value in zip(order, [*args, *kwargs.values()], strict=False)]
    ranges = [f"{symbol} in [{bounds.lower}, {bounds.upper}]" for symbol, bounds in program.range_constraints.items()]
    return "It was exported for these: " + ", ".join(written) + (f" ({', '.join(ranges)})" if ranges else "")


def _written(value: Any) -> str:
    """As the field Inputs has it, with symbols where a size is dynamic."""
    if isinstance(value, torch.Tensor):
        return f"{_NAMES.get(value.dtype, value.dtype)}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_written(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))}{',' if len(value) == 1 else ''})"
    return str(value)[:60]


def _without_values(program: torch.export.ExportedProgram) -> bool:
    """Weights on the meta device in a program that was exported elsewhere."""
    held = [*program.state_dict.values(), *program.constants.values()]
    return any(isinstance(tensor, torch.Tensor) and tensor.is_meta for tensor in held)


def on_meta(program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """The program itself, changed: its tensors, and every device in its graphs.

    Not `move_to_device_pass`: it keeps the tensors, and those of a program loaded without values are views that require
    grad, which AOTAutograd refuses.
    """
    emptied: dict[int, torch.Tensor] = {}  # tied weights stay one tensor
    for held in (program.state_dict, program.constants):
        for name, tensor in held.items():
            if isinstance(tensor, torch.Tensor):
                held[name] = emptied.setdefault(id(tensor), _fresh(tensor))
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else ():
            node.args, node.kwargs = tree_map(_device, node.args), tree_map(_device, node.kwargs)
            node.meta["val"] = tree_map(_moved, node.meta.get("val"))
    if program.example_inputs is not None:
        program.example_inputs = tree_map(_moved, program.example_inputs)
    return program


def _device(value: Any) -> Any:
    return META if isinstance(value, torch.device) else value


def _moved(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    moved = value.detach().to(META)
    return moved.requires_grad_(value.requires_grad) if value.requires_grad else moved


def _fresh(tensor: torch.Tensor) -> torch.Tensor:
    bare = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=META)
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(bare, requires_grad=tensor.requires_grad)
    return bare  # loaded without values, buffers too say that they require grad
