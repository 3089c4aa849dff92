"""One of the analyses: takes tensor metadata, returns how many bytes its elements take."""

from __future__ import annotations

from graphcap.graph.document import TensorMeta

BITS = {
    "bool": 8,
    "uint8": 8,
    "int8": 8,
    "qint8": 8,
    "quint8": 8,
    "uint16": 16,
    "int16": 16,
    "float16": 16,
    "bfloat16": 16,
    "uint32": 32,
    "int32": 32,
    "qint32": 32,
    "float32": 32,
    "complex32": 32,
    "uint64": 64,
    "int64": 64,
    "float64": 64,
    "complex64": 64,
    "complex128": 128,
    "float8_e5m2": 8,
    "float8_e4m3fn": 8,
    "float8_e5m2fnuz": 8,
    "float8_e4m3fnuz": 8,
    "float8_e8m0fnu": 8,
    "float4_e2m1fn_x2": 8,
    "quint4x2": 4,
    "quint2x4": 2,
    "bits8": 8,
    "bits16": 16,
}
"""Bits of one element by dtype."""


MAX_BYTES = 1 << 63  # no tensor is larger; a forged shape of a million huge sizes would take minutes to multiply


def tensor_bytes(value: TensorMeta) -> int | None:
    """Elements times element size; None for a symbolic or impossible shape, a sparse layout, or a dtype we do not know."""
    bits = BITS.get(value.dtype)
    sizes = [size for size in value.shape if isinstance(size, int)]
    if bits is None or value.layout != "strided" or len(sizes) < len(value.shape):
        return None
    if 0 in sizes:
        return 0
    elements = 1
    for size in sizes:
        elements *= size
        if not 0 < elements < MAX_BYTES:
            return None
    return (elements * bits + 7) // 8
