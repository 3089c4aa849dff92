"""One FX node: what it does, what torch recorded about where it came from, and what a graph returns."""

from __future__ import annotations

from typing import Literal

from graphcap.graph.document.arguments import Arg, Meta
from graphcap.graph.document.value import Value


class Source(Value, frozen=True, omit_defaults=True):
    """One `NodeSource` of `node.meta["from_node"]`, outermost first when listed."""

    name: str
    pass_name: str = ""
    action: str = ""
    graph_id: int = 0


class Origin(Value, frozen=True, omit_defaults=True):
    """What torch recorded about where a node came from. Empty fields: torch recorded nothing."""

    from_node: tuple[Source, ...] = ()  # flattened, outermost (nearest pass) first
    original_aten: str = ""
    torch_fn: str = ""
    source_fn: str = ""  # last entry of source_fn_stack or fwd_source_fn_stack
    seq_nr: int | None = None
    partitioner_tag: str = ""  # is_forward | is_backward | ...
    autograd_backward: bool = False
    recompute: str = ""
    not_recomputed: str = ""  # in a forward graph: why min-cut may not compute it again, in torch's words (`primal input`)
    not_saved: str = ""  # the same: why it may not save it


class Statistics(Value, frozen=True, omit_defaults=True):
    """Of the values of a parameter or buffer as they were before anything ran; kept only when asked for.

    Over the finite values, counted in double precision; of bools as 0 and 1, of complex numbers of their magnitudes.
    """

    count: int  # elements
    min: float | None = None  # None, as the next three: no value is finite, or beyond what a double holds
    max: float | None = None
    mean: float | None = None
    std: float | None = None  # as torch.std: divided by one less than the number of values, so of a single one there is none
    zeros: int = 0  # elements that are 0
    nan: int = 0
    infinite: int = 0
    magnitudes: bool = False  # complex: these are of the absolute values
    reason: str = ""  # why there are none: it is on the device meta


PlaceholderKind = Literal["input", "parameter", "buffer", "constant", "tangent", "saved", "symint", "token", "other"]


class Placeholder(Value, frozen=True, omit_defaults=True):
    """What a placeholder (or `get_attr` of a tensor) stands for. `name` is dotted: `seq.0.weight`, or the input's name."""

    kind: PlaceholderKind
    name: str = ""
    desc: str = ""  # torch's own words: `ParamAOTInput(target='seq.0.weight')`, Dynamo's source `L['x']`
    persistent: bool | None = None  # buffers only
    statistics: Statistics | None = None  # of a parameter or buffer; None: not asked for


OutputKind = Literal[
    "user_output",
    "buffer_mutation",
    "parameter_mutation",
    "input_mutation",
    "gradient",
    "saved",
    "loss",
    "token",
    "other",
]


class Output(Value, frozen=True, omit_defaults=True):
    """One value that a graph returns. `name` is what is mutated, or what a gradient is of."""

    kind: OutputKind
    node: int | None = None  # index of the node returned; None for a constant
    name: str = ""
    desc: str = ""


class Node(Value, frozen=True, omit_defaults=True):
    """One FX node. `stack`, `module` index the graph's tables; -1 means torch recorded none."""

    name: str
    op: Literal["placeholder", "get_attr", "call_function", "call_method", "call_module", "output"]
    target: str
    args: tuple[Arg, ...] = ()
    kwargs: tuple[tuple[str, Arg], ...] = ()
    value: Meta | None = None
    stack: int = -1
    module: int = -1
    origin: Origin | None = None
    placeholder: Placeholder | None = None
    returns: tuple[Output, ...] = ()  # of the output node, in order
    bodies: tuple[str, ...] = ()  # GIDs of the graphs this higher-order op runs
    tags: tuple[str, ...] = ()  # torch.Tag names (core, pointwise, view_copy, ...), and: view, inplace, random, hop; in AOT
    # graphs what the partitioners think of the op: compute_intensive, recomputable, fusible, partitioner_random/_view
    schema: int = -1  # index into Graph.schemas: the operator's schema text
