"""The type torch prints behind a name: `f32[4, s77][s77, 1]cpu`, `Sym(s77)`, `DTensor(f32[8][1]cuda:0, S(0))`."""

from __future__ import annotations

import re

from torch.utils._dtype_abbrs import dtype_abbrs

from graphcap.graph.document import Meta, Scalar, TensorMeta

_DTYPES = {short: str(dtype).removeprefix("torch.") for dtype, short in dtype_abbrs.items()}
_TENSOR = re.compile(
    r"(?:(?P<cls>[A-Za-z_]\w*)\()?(?P<dtype>[a-z][a-z0-9_]*)\[(?P<shape>[^\[\]]*)\](?:\[(?P<stride>[^\[\]]*)\])?(?P<device>[a-z0-9:]*)"
)
_SYMBOL = re.compile(r"Sym\((?P<text>.*)\)", re.DOTALL)
_RELATION = re.compile(r"[<>=]|\b(?:Eq|Ne|And|Or|Not)\(")
MAX_TEXT = 2_000  # characters of a symbolic expression


def annotated(text: str) -> Meta | None:
    """The value an annotation describes; None where it says nothing that is understood."""
    if symbol := _SYMBOL.fullmatch(text):
        kind = "SymBool" if _RELATION.search(symbol["text"]) else "SymInt"
        return Scalar(kind, symbol["text"][:MAX_TEXT])
    found = _TENSOR.match(text)
    if found is None or found["dtype"] not in _DTYPES:
        return None
    return TensorMeta(
        dtype=_DTYPES[found["dtype"]],
        shape=_dimensions(found["shape"]),
        stride=None if found["stride"] is None else _dimensions(found["stride"]),
        device=found["device"] or "cpu",
    )


def _dimensions(text: str) -> tuple[int | str, ...]:
    """The dimensions between two brackets; commas inside parentheses are part of an expression."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return tuple(_dimension(part.strip()) for part in parts if part.strip())


def _dimension(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else text[:MAX_TEXT]
