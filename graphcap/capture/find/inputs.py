"""The *inputs* field as inputs: the tensors it names, made. How it is written: `graphcap.graph.inputs`."""

from __future__ import annotations

import dataclasses

import torch
from torch.utils._pytree import tree_map_only

from graphcap.graph.inputs import DTYPES as NAMES
from graphcap.graph.inputs import Input, InputsError, TensorText
from graphcap.graph.inputs import parse_inputs as read_inputs

__all__ = ["DTYPES", "Input", "InputsError", "TensorInput", "parse_inputs"]

DTYPES: dict[str, torch.dtype] = {name: getattr(torch, full) for name, full in NAMES.items()}
"""Torch's short names (as print_readable shows them) and its full ones."""


@dataclasses.dataclass(frozen=True)
class TensorInput:
    """A tensor to make. `below`: whole numbers from 0 up to it; `dims` names the dynamic dimensions by position."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    below: int | None = None
    dims: tuple[tuple[int, str], ...] = ()

    def make(self) -> torch.Tensor:
        """Seeded by whoever calls; on the default device, which is meta under the option meta."""
        if self.dtype is torch.bool:
            return torch.randint(0, 2, self.shape).to(self.dtype)
        if self.dtype.is_floating_point or self.dtype.is_complex:
            drawn = torch.randn(self.shape, dtype=torch.complex64 if self.dtype.is_complex else torch.float32)
            return drawn.to(self.dtype)
        # 0 and 1 are safe indices into any table; a larger range is asked for with "< N"
        return torch.randint(0, self.below or 2, self.shape).to(self.dtype)


def parse_inputs(text: str) -> list[Input]:
    """All inputs of the field, tensors as `TensorInput`; raises InputsError."""
    return [Input(item.name, tree_map_only(TensorText, _tensor, item.value)) for item in read_inputs(text)]


def _tensor(text: TensorText) -> TensorInput:
    return TensorInput(DTYPES[text.dtype], text.shape, text.below, text.dims)
