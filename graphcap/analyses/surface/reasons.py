"""Why an operator that is not core ATen matters to whoever writes a backend: one sentence a kind."""

from __future__ import annotations

from graphcap.analyses.labels import op_name
from graphcap.analyses.links.unlinked import ASSERTS
from graphcap.graph.document import Node

HIGHER_ORDER = "It runs other graphs: the backend must run its bodies, or hand control flow back to Python."
ASSERT = (
    "It only checks something while the graph runs; a backend may drop it and lose the check, or must leave it to the host."
)
QUANTIZED = "It quantizes: a backend matches it with its neighbours, or computes in floating point between two roundings."
SPARSE = (
    "It makes or takes a sparse tensor, for which core ATen has no operators: the backend needs sparse storage of its own."
)
CUSTOM = "It is a custom operator: only the library that registered it knows what it computes, so the backend must call it."
RANDOM = "It draws random numbers: to give what eager gives, the backend must keep the generator's state, besides a kernel."
DYNAMIC = "The size of its result is known only when it ran: the backend needs memory it can not plan ahead."
VIEW = "It is a view without a core operator: the backend must express it by strides, or copy."
PRIM = "It is a primitive of torch.prims, below ATen: a backend for the core set has no kernel for it."
OTHER = "The decompositions leave it as it is and it is not in the core set: the backend needs a kernel of its own for it."


def why_not_core(node: Node) -> str:
    """The sentence for a call of an operator that is not tagged core."""
    if is_higher_order(node):
        return HIGHER_ORDER
    return _reason(node.target.removeprefix("torch.ops.").split(".")[0], op_name(node), node.tags)


def is_higher_order(node: Node) -> bool:
    """Whether a call runs other graphs."""
    return "hop" in node.tags or ".higher_order." in f".{node.target}"


def _reason(namespace: str, name: str, tags: tuple[str, ...]) -> str:
    if name.startswith(ASSERTS):
        return ASSERT
    if "quantize" in name or namespace.startswith("quantized"):
        return QUANTIZED
    if "sparse" in name or name == "_to_dense":
        return SPARSE
    if namespace == "prims":
        return PRIM
    if namespace != "aten":
        return CUSTOM
    if "nondeterministic_seeded" in tags or "random" in tags:
        return RANDOM
    if "dynamic_output_shape" in tags or "data_dependent_output" in tags:
        return DYNAMIC
    return VIEW if "view" in tags else OTHER
