"""The *inputs* field: `x: f32[batch=2, 3, 32, 32]`, `ids: i64[1, 16] < 1000`, `flag: True`. As written, without torch.

Inputs are separated by new lines, `;` or commas outside brackets. A name is optional. A named dimension is dynamic.
Lists, tuples and dicts of tensors are written as in Python: `xs: [f32[2], f32[3]]`, `batch: {'ids': i64[1, 16] < 1000}`.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import re
from collections.abc import Iterator
from typing import Any

from graphcap.graph.python import tree_of

MAX_RANK = 64  # torch's own limit on printing; no operator takes more
MAX_DIGITS = 18  # of a dimension: torch's are 64 bits wide
MAX_DEPTH = 16  # lists in lists: each is read as often as it has lists around it

BATCH, LENGTH, SIDE, WIDE_SIDE = 2, 16, 32, 224
"""Sizes of a guess that no layer tells: of a batch, a sequence, an image, and an image for a wide first kernel."""

NOTHING_TOLD = "f32[2, 3]"
"""The guess for an input of which nothing is known."""

FIELD = "the field Inputs (--inputs on the command line)"
"""Where a person writes them, for messages."""

SHORT: dict[str, str] = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "f8e4m3fn": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "b8": "bool",
    "bool": "bool",
    "c32": "complex32",
    "c64": "complex64",
    "c128": "complex128",
}
"""Torch's short names of dtypes, as print_readable shows them, and its full ones."""

DTYPES = SHORT | {full: full for full in SHORT.values()}

_NAME = re.compile(r"\s*([^\W\d]\w*)\s*:(?!:)")
_TENSOR = re.compile(r"(?:torch\.)?([A-Za-z]\w*)\s*\[([^\[\]]*)\](?:\s*<\s*(\S+))?\Z")
_BOUND = re.compile(r"[0-9]{1,19}")
_DIM = re.compile(r"\s*(?:([^\W\d]\w*)\s*=\s*)?(\d+)\s*\Z")


HINT = (
    "One input a line: `x: f32[2, 3]`, `ids: i64[1, 16] < 1000`, `flag: True`. `f32[batch=2, 3]` makes batch dynamic.\n"
    "Lists and dicts as in Python: `xs: [f32[3], f32[4]]`, `batch: {'ids': i64[1, 16], 'mask': bool[1, 16]}`; a dict of its "
    "fields makes the dataclass or NamedTuple that the parameter is annotated with.\n"
    "Other objects are no inputs of the form: leave it empty, and write into the code, beside `model`:\n"
    "example_args = (Batch(torch.randn(3)),)"
)
"""How inputs are written, for who wrote them otherwise."""


class InputsError(ValueError):
    """The field cannot be read; the message says where and what was expected. `offset`: characters before the place."""

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.offset = offset


@dataclasses.dataclass(frozen=True)
class TensorText:
    """A tensor as written; `dtype` is its full name. `below`: whole numbers from 0; `dims` names dimensions by position."""

    dtype: str
    shape: tuple[int, ...]
    below: int | None = None
    dims: tuple[tuple[int, str], ...] = ()


@dataclasses.dataclass(frozen=True)
class Input:
    """One input: its name ("" by position), and a tensor to make, a Python value, or a list, tuple or dict of these."""

    name: str
    value: Any


def tensors_in(value: Any) -> Iterator[TensorText]:
    """Those of an input's value, in the order they are written."""
    if isinstance(value, TensorText):
        yield value
    elif isinstance(value, list | tuple | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from tensors_in(each)


def parse_inputs(text: str) -> list[Input]:
    """All inputs of the field; raises InputsError."""
    found = [_input(text, start, part) for start, part in _split(text, "\n;,") if part.strip()]
    sizes: dict[str, int] = {}
    for tensor in (tensor for item in found for tensor in tensors_in(item.value)):
        for position, name in tensor.dims:
            size = tensor.shape[position]
            if sizes.setdefault(name, size) != size:
                raise InputsError(f"dimension {name!r} is {sizes[name]} in one input and {size} in another")
    names = [item.name for item in found if item.name]
    if twice := {name for name in names if names.count(name) > 1}:
        raise InputsError(f"{', '.join(sorted(twice))} is given more than once")
    return found


def _split(text: str, separators: str) -> Iterator[tuple[int, str]]:
    """(offset, text) between separators that stand outside brackets and quotes."""
    depth, quote, start = 0, "", 0
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth = max(0, depth - 1)
        elif depth == 0 and character in separators:
            yield start, text[start:i]
            start = i + 1
    yield start, text[start:]


def _input(text: str, start: int, part: str) -> Input:
    match = _NAME.match(part)
    begin = match.end() if match else 0
    return Input(match[1] if match else "", _value(text, start + begin, part[begin:], 0))


def _value(text: str, start: int, part: str, depth: int) -> Any:
    """`part` stands at `start` in `text`, in `depth` lists."""
    rest = part.strip()
    where = start + len(part) - len(part.lstrip())
    tensor = _TENSOR.match(rest)  # not within the pattern: two runs of blanks side by side are tried in every split
    if tensor:
        return _tensor(text, where, tensor)
    with contextlib.suppress(_NoLiteral):
        return _literal(rest)
    if depth < MAX_DEPTH and rest[:1] + rest[-1:] in ("[]", "()", "{}"):
        return _container(text, where, rest, depth + 1)
    raise _error(text, where, f"{rest[:60]!r} is neither a tensor (f32[2, 3]) nor a Python value (3, True)")


class _NoLiteral(Exception):
    """No number, string, list or the like."""


def _literal(written: str) -> Any:
    try:
        return ast.literal_eval(tree_of(written, "eval"))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):  # TypeError: a list as a key
        raise _NoLiteral from None


def _container(text: str, where: int, written: str, depth: int) -> Any:
    """A list, tuple or dict with tensors in it."""
    parts = [(where + 1 + offset, part) for offset, part in _split(written[1:-1], ",")]
    comma = len(parts) > 1
    if not parts[-1][1].strip():
        del parts[-1]  # after a comma at the end
    if written[0] == "{":
        return dict(_item(text, start, part, depth) for start, part in parts)
    values = [_value(text, start, part, depth) for start, part in parts]
    if written[0] == "[":
        return values
    return tuple(values) if comma else values[0]


def _item(text: str, start: int, part: str, depth: int) -> tuple[Any, Any]:
    key = next(_split(part, ":"))[1]
    where = start + len(part) - len(part.lstrip())
    try:
        name = _literal(key.strip())
        hash(name)
    except (_NoLiteral, TypeError):
        raise _error(text, where, f"{part.strip()[:60]!r} is no item of a dict ('name': f32[2, 3])") from None
    return name, _value(text, start + len(key) + 1, part[len(key) + 1 :], depth)


def _tensor(text: str, where: int, match: re.Match[str]) -> TensorText:
    dtype = DTYPES.get(match[1])
    if dtype is None:
        raise _error(text, where, f"{match[1]!r} is no dtype; the dtypes are {', '.join(SHORT)}")
    parts = match[2].split(",") if match[2].strip() else []
    if len(parts) > MAX_RANK:
        raise _error(text, where, f"{len(parts)} dimensions; at most {MAX_RANK}")
    shape, dims = [], []
    for position, part in enumerate(parts):
        dim = _DIM.match(part)
        if dim is None or len(dim[2]) > MAX_DIGITS:
            raise _error(text, where, f"{part.strip()[:40]!r} is no dimension; expected a whole number or name=number")
        shape.append(int(dim[2]))
        if dim[1]:
            dims.append((position, dim[1]))
    return TensorText(dtype, tuple(shape), _below(text, where, match[3], dtype), tuple(dims))


def _below(text: str, where: int, bound: str | None, dtype: str) -> int | None:
    if bound is None:
        return None
    if not _BOUND.fullmatch(bound) or not 0 < int(bound) < 2**63:
        raise _error(text, where, f"'< {bound}': expected a whole number of at least 1")
    if not dtype.startswith(("int", "uint")):
        raise _error(text, where, "'<' is for whole numbers; float, complex and bool tensors are drawn without it")
    return int(bound)


def _error(text: str, offset: int, what: str) -> InputsError:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return InputsError(f"inputs, line {line}, column {column}: {what}", offset)
