"""One of the analyses: takes a node and its value, returns what else a drawing may be coloured by."""

from __future__ import annotations

from collections.abc import Iterator

from graphcap.analyses.labels import DTYPES, PYTHON_MODULES
from graphcap.analyses.tensor_bytes import tensor_bytes
from graphcap.graph.document import Meta, Node, TensorMeta, Tuple

SEVERAL = "several"
"""The dtype of a value whose tensors have more than one."""

NOT_AN_OPERATOR = -1
UNKNOWN = -1
OVERLOAD_PARTS = 3  # namespace.op.overload


def dtype(value: Meta | None) -> str:
    """torch's abbreviation (`f32`), `several`, or "" for a value without tensors."""
    names = {DTYPES.get(tensor.dtype, tensor.dtype) for tensor in tensors(value)}
    return names.pop() if len(names) == 1 else SEVERAL if names else ""


def value_bytes(value: Meta | None) -> int:
    """Bytes of all its tensors' elements; -1 for no tensor, and where the size of one is not known."""
    sizes = [tensor_bytes(tensor) for tensor in tensors(value)]
    known = [size for size in sizes if size is not None]
    return sum(known) if known and len(known) == len(sizes) else UNKNOWN


def core(node: Node) -> int:
    """1: torch tags the operator as core ATen; 0: it does not; -1: no operator (getitem, a Python function, an input)."""
    parts = node.target.split(".")
    if node.op != "call_function" or len(parts) != OVERLOAD_PARTS or parts[0] in PYTHON_MODULES:
        return NOT_AN_OPERATOR
    return int("core" in node.tags)


def tensors(value: Meta | None) -> Iterator[TensorMeta]:
    """The tensors of a value, in order; those of a tuple in a tuple too."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, TensorMeta):
            yield part
        elif isinstance(part, Tuple):
            pending.extend(reversed(part.items))
