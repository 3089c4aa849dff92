"""What a model may be called with, suggested where nothing was given: as its code tells, else as its first layer does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.nn.parameter import is_lazy

from graphcap.capture.find.inputs import DTYPES, InputsError, TensorInput, parse_inputs
from graphcap.capture.find.parameters.records import field_text, fields_of
from graphcap.graph.inputs import BATCH, LENGTH, SHORT, SIDE, WIDE_SIDE

_SHORT = {DTYPES[full]: short for short, full in SHORT.items()}


def suggested(model: Any, names: list[str], told: Mapping[str, str], kinds: Mapping[str, Any]) -> dict[str, str]:
    """The inputs `names` as the *inputs* field writes them.

    `told`: what its code tells; an input of a layer of torch's own has no name there. `kinds`: what annotates each.
    """
    known = dict(told)
    if len(names) == 1:
        tensor = kinds.get(names[0]) in (None, Any, torch.Tensor)
        known.setdefault(names[0], told.get("") or (of_first_layer(model) if tensor else ""))
    return {name: known.get(name) or field_text(kinds.get(name)) for name in names}


def of_first_layer(model: Any) -> str:
    """What the first of its layers takes that is in the table, TorchScript's too; "" where there is none."""
    for layer in model.modules() if isinstance(model, torch.nn.Module) else ():
        name = getattr(layer, "original_name", type(layer).__name__)
        weight = getattr(layer, "weight_ih_l0" if name in RECURRENT else "weight", None)
        if name in LAYERS and isinstance(weight, torch.Tensor) and not is_lazy(weight):
            return LAYERS[name](layer, weight)
    return ""


def _floats(weight: torch.Tensor, *shape: int) -> str:
    return f"{_SHORT.get(weight.dtype, 'f32')}[{', '.join(map(str, shape))}]"


def _image(layer: Any, weight: torch.Tensor) -> str:
    side = WIDE_SIDE if weight.shape[2] >= 7 else SIDE
    return _floats(weight, BATCH, weight.shape[1] * getattr(layer, "groups", 1), *[side] * (weight.dim() - 2))


def _sequence(_layer: Any, weight: torch.Tensor) -> str:
    return _floats(weight, BATCH, LENGTH, weight.shape[-1])


def _recurrent(layer: Any, weight: torch.Tensor) -> str:
    outer = (BATCH, LENGTH) if getattr(layer, "batch_first", False) else (LENGTH, BATCH)
    return _floats(weight, *outer, weight.shape[-1])


RECURRENT = ("LSTM", "GRU", "RNN")
LAYERS: dict[str, Callable[[Any, torch.Tensor], str]] = {
    "Linear": lambda _layer, weight: _floats(weight, BATCH, weight.shape[1]),
    "Embedding": lambda _layer, weight: f"i64[{BATCH}, {LENGTH}] < {weight.shape[0]}",
    **dict.fromkeys(("Conv1d", "Conv2d", "Conv3d"), _image),
    **dict.fromkeys(("LayerNorm", "RMSNorm"), _sequence),
    **dict.fromkeys(RECURRENT, _recurrent),
}
"""Name of a layer's class -> its input, by its weight: a traced module of TorchScript has no more of it."""


def code_of(text: str, kind: Any) -> str:
    """The same in Python; `...` where it can not be read. `kind`: what annotates the parameter."""
    try:
        (item,) = parse_inputs(f"x: {text}")
    except (InputsError, ValueError):
        return "..."
    return _code(item.value, kind)


def _code(value: Any, kind: Any = None) -> str:
    if isinstance(value, TensorInput):
        return _tensor(value)
    if isinstance(value, Mapping):
        if fields := fields_of(kind):
            return f"{kind.__name__}({', '.join(f'{name}={_code(each, fields.get(name))}' for name, each in value.items())})"
        return f"{{{', '.join(f'{name!r}: {_code(each)}' for name, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_code, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_code, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def _tensor(made: TensorInput) -> str:
    shape = ", ".join(map(str, made.shape))
    if made.dtype.is_floating_point or made.dtype.is_complex:
        return f"torch.randn({shape or '()'}{'' if made.dtype is torch.float32 else f', dtype={made.dtype}'})"
    whole = f"({shape}{',' if len(made.shape) == 1 else ''})"
    return f"torch.randint({made.below or 2}, {whole}{'' if made.dtype is torch.int64 else f', dtype={made.dtype}'})"
