"""What a node is called with, and what it gives: arguments without their data, tensors by their metadata."""

from __future__ import annotations

from typing import Literal

from graphcap.graph.document.value import Value


class Ref(Value, frozen=True, tag="ref", tag_field="k"):
    """The value of an earlier node of the same graph, by its index."""

    node: int


class Atom(Value, frozen=True, tag="atom", tag_field="k"):
    """A constant JSON has no word for: dtype, device, layout, memory_format, symint, complex, function, ellipsis, nan,
    a big int, an unknown object. `text` is what Python prints."""

    type: str
    text: str


class Seq(Value, frozen=True, tag="seq", tag_field="k"):
    """A list, tuple or slice (three items: start, stop, step)."""

    type: Literal["list", "tuple", "slice"]
    items: tuple[Arg, ...]


class Map(Value, frozen=True, tag="map", tag_field="k"):
    """A dict argument; keys are printed as Python prints them."""

    items: tuple[tuple[str, Arg], ...]


class GraphRef(Value, frozen=True, tag="graph", tag_field="k"):
    """A body graph passed to a higher-order op: its GID, and the attribute that holds it."""

    graph: str
    name: str


class Cut(Value, frozen=True, tag="cut", tag_field="k"):
    """A constant too long to keep: its type, its true length, and the start of its text."""

    type: str
    size: int
    head: str


Arg = None | bool | int | float | str | Ref | Atom | Seq | Map | GraphRef | Cut


class TensorMeta(Value, frozen=True, tag="tensor", tag_field="k", omit_defaults=True):
    """A tensor value without its data. Dimensions are ints, or torch's own text for symbolic ones (`s0`, `2*s0+1`)."""

    dtype: str  # without the "torch." prefix: float32, int64, qint8, complex64
    shape: tuple[int | str, ...]
    stride: tuple[int | str, ...] | None = None  # None: the layout has none (sparse)
    device: str = "cpu"
    layout: str = "strided"
    requires_grad: bool = False
    storage_bytes: int | None = None  # of an input: of its storage, where its shape and strides reach over a part of it only
    storage_of: int | None = None  # of an input: index of an earlier one of the same graph that lies in the same storage


class Scalar(Value, frozen=True, tag="scalar", tag_field="k"):
    """A value that is no tensor: SymInt, int, bool, None, script object, ...; `text` is what torch prints."""

    type: str
    text: str


class Tuple(Value, frozen=True, tag="tuple", tag_field="k"):
    """Several values; `type` is `tuple` or `list`, dicts come as their values in order."""

    type: str
    items: tuple[Meta, ...]


Meta = TensorMeta | Scalar | Tuple
