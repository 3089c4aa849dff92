"""One of the analyses: takes nodes and their values, returns the short texts a drawing shows for them."""

from __future__ import annotations

from graphcap.graph.document import Meta, Node, Scalar, TensorMeta, Tuple

PYTHON_MODULES = ("torch", "operator", "_operator", "math", "builtins", "numpy", "einops", "functools")
"""First parts of targets that are dotted Python names and not `namespace.op.overload`."""

SYMBOLIC = {"SymInt", "SymFloat", "SymBool"}

MAX_PARTS = 4  # values of a tuple spelled out on a node: more make it wider than the operators around it
MAX_SCALAR = 24  # characters of a scalar's text on a node

DTYPES = {
    "bool": "b8",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "complex32": "c32",
    "complex64": "c64",
    "complex128": "c128",
    "float8_e5m2": "f8e5m2",
    "float8_e4m3fn": "f8e4m3fn",
    "float8_e5m2fnuz": "f8e5m2fnuz",
    "float8_e4m3fnuz": "f8e4m3fnuz",
    "float8_e8m0fnu": "f8e8m0fnu",
    "float4_e2m1fn_x2": "f4e2m1fnx2",
}
"""torch's own abbreviations (torch.utils._dtype_abbrs); a dtype without one is written whole."""


def op_name(node: Node) -> str:
    """The operator without namespace and overload: `sum` for `aten.sum.dim_IntList`, `linear` for `torch._C._nn.linear`."""
    bare = node.target.removeprefix("torch.ops.")
    if node.op != "call_function":
        return bare
    parts = bare.split(".")
    python = bare == node.target and parts[0] in PYTHON_MODULES
    return parts[1] if len(parts) == 3 and (node.schema >= 0 or not python) else parts[-1]


def label(node: Node) -> str:
    """The first line of a drawn node: short op name, dotted name of a parameter, name of an input."""
    if node.op == "output":
        return "output"
    if node.op in ("placeholder", "get_attr"):
        return (node.placeholder.name if node.placeholder else "") or (
            node.name if node.op == "placeholder" else node.target
        )
    name = op_name(node)
    if name == "getitem" and len(node.args) == 2 and type(node.args[1]) is int:
        return f"getitem[{node.args[1]}]"
    return name


def type_text(value: Meta | None, most: int = MAX_PARTS) -> str:
    """`f32[2, s0]`, `(f32[2], i64[2])`, `sym(s0)`; "" for no value. Tuples are cut after `most`, with the number cut."""
    if value is None:
        return ""
    if isinstance(value, TensorMeta):
        return tensor_text(value)
    if isinstance(value, Scalar):
        return scalar_text(value)
    return _tuple_text(value, most)


def tensor_text(value: TensorMeta) -> str:
    """`f32[2, s0]`."""
    return f"{DTYPES.get(value.dtype, value.dtype)}[{', '.join(map(str, value.shape))}]"


def scalar_text(value: Scalar) -> str:
    """`sym(s0)`, `int(3)`, `None`; a type alone where the text says nothing short."""
    if value.type in ("NoneType", "None"):
        return "None"
    kind = "sym" if value.type in SYMBOLIC else value.type
    return f"{kind}({value.text})" if value.text and len(value.text) <= MAX_SCALAR else kind


def _tuple_text(value: Tuple, most: int) -> str:
    shown = value.items if len(value.items) <= most else value.items[: most - 1]
    parts = [type_text(item, most) or "None" for item in shown]
    if len(shown) < len(value.items):
        parts.append(f"+{len(value.items) - len(shown)}")
    if value.type == "list":
        return f"[{', '.join(parts)}]"
    return f"({parts[0]},)" if len(value.items) == 1 else f"({', '.join(parts)})"
