"""What the first layer that an input meets says about it: a table, one line a layer."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from typing import Any

from graphcap.graph.inputs import BATCH, LENGTH, SIDE, WIDE_SIDE


@dataclasses.dataclass(frozen=True)
class Told:
    """A layer's own arguments by place or name, as far as they can be read. `rank` of the input, where the code says it."""

    places: list[Any]
    words: dict[str, Any]
    rank: int = 0

    @property
    def outer(self) -> tuple[int, int]:
        """The two dimensions in front of the features of a sequence."""
        return (BATCH, LENGTH) if self.words.get("batch_first") is True else (LENGTH, BATCH)

    def _argument(self, place: int, name: str) -> Any:
        return self.words.get(name, self.places[place] if place < len(self.places) else None)

    def size(self, place: int, name: str) -> int:
        """A size; 0 where it is not known."""
        found = self._argument(place, name)
        if isinstance(found, list) and found:
            found = found[0]
        return found if isinstance(found, int) and 0 < found < 2**31 else 0

    def shape(self, place: int, name: str) -> list[int]:
        """A shape of one number or several; empty where it is not known."""
        found = self._argument(place, name)
        sizes = found if isinstance(found, list) else [found]
        known = [size for size in sizes if isinstance(size, int) and 0 < size < 2**31]
        return known if len(known) == len(sizes) else []


def _written(dtype: str, *shape: int) -> str:
    return f"{dtype}[{', '.join(map(str, shape))}]" if all(shape) else ""


def _last(told: Told, size: int, usual: int = 2) -> str:
    rank = max(told.rank or usual, 1)
    return _written("f32", *[BATCH, *[LENGTH] * 8][: rank - 1], size)


def _image(told: Told, dims: int) -> str:
    side = WIDE_SIDE if told.size(2, "kernel_size") >= 7 else SIDE
    return _written("f32", BATCH, told.size(0, "in_channels"), *[side] * dims)


def _embedding(told: Told) -> str:
    size = told.size(0, "num_embeddings")
    shape = [BATCH, *[LENGTH] * 8][: told.rank or 2]
    return f"{_written('i64', *shape)} < {size}" if size else ""


def _recurrent(told: Told) -> str:
    return _written("f32", *told.outer, told.size(0, "input_size"))


def _sequence(told: Told) -> str:
    size = told.size(0, "d_model") or told.size(0, "embed_dim")
    return _written("f32", *told.outer, size)


def _normed(told: Told) -> str:
    shape = told.shape(0, "normalized_shape")
    if len(shape) == 1:
        return _last(told, shape[0], 3)
    return _written("f32", BATCH, *shape) if shape else ""


LAYERS: dict[str, Callable[[Told], str]] = {
    "Linear": lambda told: _last(told, told.size(0, "in_features")),
    "Bilinear": lambda told: _last(told, told.size(0, "in1_features")),
    "Conv1d": lambda told: _image(told, 1),
    "Conv2d": lambda told: _image(told, 2),
    "Conv3d": lambda told: _image(told, 3).replace(f"{SIDE}, {SIDE}, {SIDE}]", f"8, {SIDE}, {SIDE}]"),
    "ConvTranspose1d": lambda told: _image(told, 1),
    "ConvTranspose2d": lambda told: _image(told, 2),
    "Embedding": _embedding,
    "EmbeddingBag": _embedding,
    "LSTM": _recurrent,
    "GRU": _recurrent,
    "RNN": _recurrent,
    "LSTMCell": lambda told: _written("f32", BATCH, told.size(0, "input_size")),
    "GRUCell": lambda told: _written("f32", BATCH, told.size(0, "input_size")),
    "MultiheadAttention": _sequence,
    "TransformerEncoderLayer": _sequence,
    "TransformerDecoderLayer": _sequence,
    "Transformer": _sequence,
    "LayerNorm": _normed,
    "RMSNorm": _normed,
    "BatchNorm1d": lambda told: _written("f32", BATCH, told.size(0, "num_features")),
    "BatchNorm2d": lambda told: _written("f32", BATCH, told.size(0, "num_features"), SIDE, SIDE),
    "BatchNorm3d": lambda told: _written("f32", BATCH, told.size(0, "num_features"), 8, SIDE, SIDE),
    "GroupNorm": lambda told: _written("f32", BATCH, told.size(1, "num_channels"), SIDE, SIDE),
}
"""Last part of a layer's name -> the input it takes as the *inputs* field writes it; "" where its size cannot be read."""

BY_ANNOTATION = {"int": "1", "float": "1.0", "bool": "True", "str": "''"}
"""What is given for a parameter that is no tensor."""


def is_sequential(call: ast.Call, name: str) -> bool:
    """Whether a call makes a row of layers, the first of which meets the input."""
    return name in ("Sequential", "ModuleList") and bool(call.args)
