"""One of the analyses: takes a node with its facts, returns its kind, which gives it its colour."""

from __future__ import annotations

from functools import lru_cache

from graphcap.analyses.labels import SYMBOLIC, op_name
from graphcap.analyses.operators import FIRST, LATER, NAMES, Family, canonical
from graphcap.graph.document import GraphRef, Node, PlaceholderKind, Scalar

KINDS = (
    "input",
    "parameter",
    "buffer",
    "constant",
    "output",
    "matmul",
    "conv",
    "pointwise",
    "reduction",
    "view",
    "random",
    "higher-order",
    "symbolic",
    "other",
)
"""Every kind, in the order of the legend; the columns index this."""

PLACEHOLDERS: dict[PlaceholderKind, str] = {
    "input": "input",
    "parameter": "parameter",
    "buffer": "buffer",
    "constant": "constant",
    "tangent": "input",
    "saved": "input",
    "symint": "symbolic",
    "token": "input",
    "other": "input",
}

TAGS = (
    ("nondeterministic_seeded", "random"),
    ("random", "random"),
    ("reduction", "reduction"),
    ("view", "view"),
    ("view_copy", "view"),
    ("inplace_view", "view"),
    ("pointwise", "pointwise"),
)
"""(torch's tag or the recorder's, kind), asked in order."""

CASTS = {"to", "type_as", "to_copy"}
"""They may alias their input, so torch's schema makes them views; a reader looks for them among the computations."""

SCALARS = SYMBOLIC | {"int", "float", "bool"}


def kind(node: Node) -> str:
    """One of `KINDS`."""
    if node.op == "output":
        return "output"
    if node.op == "placeholder":
        return PLACEHOLDERS[node.placeholder.kind] if node.placeholder else "input"
    if node.op == "get_attr":
        return _attribute_kind(node)
    if node.bodies or "hop" in node.tags or any(isinstance(arg, GraphRef) for arg in node.args):
        return "higher-order"
    if node.op == "call_module":
        return "other"
    if isinstance(node.value, Scalar) and node.value.type in SCALARS:
        return "symbolic"
    return operator_kind(op_name(node), node.tags, node.target.startswith(("higher_order.", "torch.ops.higher_order.")))


@lru_cache(maxsize=4096)
def operator_kind(name: str, tags: tuple[str, ...] = (), higher_order: bool = False) -> str:
    """The kind of an operator by its short name and the tags torch gives it."""
    key = canonical(name)
    if higher_order or NAMES.get(key) == "higher-order":
        return "higher-order"
    return (
        _by_family(key, FIRST)
        or ("" if key in CASTS else _by_tag(tags))
        or _by_family(key, LATER)
        or NAMES.get(key)
        or NAMES.get(key.removesuffix("_backward"))
        or "other"
    )


def _by_family(key: str, families: tuple[Family, ...]) -> str:
    return next((name for name, pattern in families if pattern.fullmatch(key)), "")


def _by_tag(tags: tuple[str, ...]) -> str:
    return next((name for tag, name in TAGS if tag in tags), "")


def _attribute_kind(node: Node) -> str:
    if node.placeholder:
        return PLACEHOLDERS[node.placeholder.kind]
    return "higher-order" if node.bodies or node.value is None else "constant"
