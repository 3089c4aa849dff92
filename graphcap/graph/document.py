"""GraphDocument: everything one capture recorded, as plain frozen values.

The words are those of the field: a *target* is one thing captured; its *stages* are the steps of the compiler stack;
a stage holds *graphs*; a graph holds *nodes* in execution order. Facts only: whatever can be concluded from these
values (edges, kinds, groups, links) is computed in `graphcap.analyses` and never stored here.

Changing this file changes the schema: run ``python -m graphcap.graph.schema`` and commit ``schema.json``; a change that
an older reader cannot ignore needs a new major number in `SCHEMA`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA = "graphcap/1"


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of every value in the document: immutable, and closed to fields it does not know."""


# --------------------------------------------------------------------------------------------------------------- options

StageId = Literal[
    "eager", "traced", "dynamo", "pre_grad", "export", "core_aten", "joint", "forward", "backward", "post_grad"
]
STAGES: tuple[StageId, ...] = (
    "eager",
    "traced",
    "dynamo",
    "pre_grad",
    "export",
    "core_aten",
    "joint",
    "forward",
    "backward",
    "post_grad",
)
"""The stages in the order a person meets them."""

LOG_STAGES: tuple[StageId, ...] = ("dynamo", "pre_grad", "joint", "forward", "backward", "post_grad")
"""Those that a log of `TORCH_TRACE` has. Inductor's own two, before and after autograd, are had from logs only."""

RUN_STAGES: tuple[StageId, ...] = tuple(stage for stage in STAGES if stage not in ("traced", "pre_grad", "post_grad"))
"""Those that any model has when it is run: what a person may ask for. `traced` is had of a script's own make_fx or
symbolic_trace call only."""

Route = Literal["eager", "traced", "dynamo", "export", "aot"]
ROUTES: dict[Route, tuple[StageId, ...]] = {
    "eager": ("eager",),
    "traced": ("traced",),
    "dynamo": ("dynamo",),
    "export": ("export", "core_aten"),
    "aot": ("joint", "forward", "backward"),
}
"""Which stages one run of the model gives. Every route starts from the same state of the process."""


class Options(Value, frozen=True, omit_defaults=True):
    """What a person may choose about a capture. The defaults are what plain torch does."""

    mode: Literal["as_written", "train", "eval"] = "as_written"
    decompositions: Literal["none", "core_aten"] = "none"
    partitioner: Literal["min_cut", "default"] = "min_cut"
    meta: bool = False
    inputs: str = ""
    second_inputs: str = ""  # what the compiled function is called with after the first call: what torch compiles anew
    stages: tuple[StageId, ...] = RUN_STAGES  # of a log always LOG_STAGES
    rerun: bool = False
    entry: str = ""  # of several files the one to capture, by its name or the end of its path; "": found by the rules
    construct: str = ""  # how the model is made: `Net(10, hidden=64)`, with the names of the file; "": found by the rules
    parameter_statistics: bool = (
        False  # of the values of parameters and buffers, min, max, mean, ... are kept; never the values
    )


# ----------------------------------------------------------------------------------------------------- nodes: arguments


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


# ------------------------------------------------------------------------------------------------------- nodes: outputs


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


# ---------------------------------------------------------------------------------------------------------------- nodes


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


class Frame(Value, frozen=True, omit_defaults=True):
    """A line of a stack trace. `file` of the person's own code is the submitted file's name."""

    file: str
    line: int
    function: str = ""
    code: str = ""
    user: bool = False  # the person's own file
    place: str = ""  # of a notebook's code: `cell 3, line 2`; "": it is called by its line

    def words(self) -> str:
        """What a person calls the line: `line 7`, in a notebook `cell 3, line 2`."""
        return self.place or f"line {self.line}"


class Module(Value, frozen=True, omit_defaults=True):
    """An `nn.Module` that owns nodes: dotted path ("" is the root) and class name."""

    path: str
    cls: str = ""


class Replay(Value, frozen=True, omit_defaults=True):
    """What a graph gave when it was run on the example inputs, against the same code run by eager PyTorch.

    Fragments of AOTAutograd are held against Dynamo's graph of the fragment, run eagerly; all others against the target's
    own call. Random numbers are drawn from the same state on both sides; outputs are given gradients of ones.
    """

    status: Literal["compared", "not-compared"]
    outputs: int = 0  # values compared: those returned, and those written into inputs and buffers
    gradients: int = 0  # gradients compared
    max_abs: float | None = None  # largest difference of two elements; None: not compared, or not finite
    max_rel: float | None = None  # the same divided by eager's largest element, tensor by tensor
    close: bool = False  # every element is within torch.testing.assert_close's tolerances of its dtype
    worst: str = ""  # where max_abs was found: `output 0`, `gradient of seq.0.weight`
    reason: str = ""  # why it was not compared, or what else must be said


SECOND = "second_inputs"
"""The variant of a fragment that only the second inputs made torch compile: the first call has no such fragment."""


class Graph(Value, frozen=True, omit_defaults=True):
    """One graph, self-contained: its nodes and the tables they index.

    A fragment may have several: of another partitioner or another kind of export (`variant`), or compiled anew when it was
    called with the second inputs (`recompile`). Code that only these reach is a fragment of its own, of variant `SECOND`.
    """

    id: str  # GID: [tN.]stage.FRAGMENT[.rN][.variant][/body]
    title: str
    fragment: int
    nodes: tuple[Node, ...]
    frames: tuple[Frame, ...] = ()
    stacks: tuple[tuple[int, ...], ...] = ()  # each: frame indices, outermost call first
    modules: tuple[tuple[Module, ...], ...] = ()  # each: a module stack, root first
    schemas: tuple[OpSchema, ...] = ()
    text: str = ""  # exactly what print(graph) prints
    text_lines: tuple[int, ...] = ()  # for each line of text the node it prints, or -1
    readable: str = ""  # print_readable(); body graphs print inside their parent's
    readable_lines: tuple[int, ...] = ()
    inference: bool = False  # an AOT forward graph without a backward
    parent: str = ""  # of a body: GID of the graph whose node runs it
    variant: str = ""  # min_cut | default (the partitioner not chosen), strict | non_strict | draft (export), SECOND
    recompile: int = 0  # the N of .rN: how many times the fragment was compiled before; 0 the first time
    replay: Replay | None = None  # None: it was not tried, as for bodies
    code: str = ""  # what Inductor generated of it, as a log of TORCH_TRACE has it


class OpSchema(Value, frozen=True, omit_defaults=True):
    """An operator's full schema as torch prints it, its argument names in order, and its docstring where there is one."""

    text: str
    args: tuple[str, ...] = ()
    doc: str = ""


# --------------------------------------------------------------------------------------------------------------- stages


class Failure(Value, frozen=True, omit_defaults=True):
    """Why something failed, in torch's or Python's own words, with the person's line and what to try."""

    type: str  # exception class, or an outcome of the jail: timeout, memory-limit, crashed
    message: str
    how: str = ""  # which attempt: non-strict, strict, draft; "" when there was one
    frame: Frame | None = None
    hints: tuple[str, ...] = ()
    trace: str = ""


class Break(Value, frozen=True, omit_defaults=True):
    """Where Dynamo stopped and Python went on."""

    reason: str
    explanation: str = ""
    hints: tuple[str, ...] = ()
    kind: str = ""  # torch's gb_type
    frames: tuple[Frame, ...] = ()  # user stack, outermost first
    before: int | None = None  # fragment that ends here
    after: int | None = None  # fragment that starts after it
    text: str = ""  # torch's message whole


class Guard(Value, frozen=True, omit_defaults=True):
    """One guard of a fragment: what is checked before the compiled code is reused."""

    fragment: int
    kind: str  # TENSOR_MATCH, CONSTANT_MATCH, ...
    source: str  # L['x'], L['self'].cfg.mode
    code: tuple[str, ...] = ()
    frame: Frame | None = None
    recompile: int = 0  # of the code compiled so many times before: see Graph.recompile


class FailedGuard(Value, frozen=True, omit_defaults=True):
    """A check that did not hold for the second inputs, in torch's words: `tensor 'x' size mismatch at index 0. ...`."""

    text: str
    guard: int = -1  # index into the stage's guards; -1: no guard of the document can be said to be the one


class Recompile(Value, frozen=True, omit_defaults=True):
    """A fragment compiled anew for the second inputs: its graph has the same `fragment` and `recompile`."""

    fragment: int
    recompile: int
    reason: str  # torch's words, a line for each earlier code with the check that failed: `0/0: tensor 'x' size ...`
    failed: tuple[FailedGuard, ...] = ()


class Symbol(Value, frozen=True, omit_defaults=True):
    """A size, or a number, that torch keeps as a symbol: where it stands, its range, and what the code fixed it to."""

    name: str  # s77, u0
    sources: tuple[str, ...] = ()  # L['x'].size()[0]
    lower: str = ""  # as torch prints bounds: 2, int_oo
    upper: str = ""
    example: str = ""  # its value in the example inputs
    dim: str = ""  # the name the person gave it: batch
    value: str = ""  # what the code made of it: a number it is specialised to, or a symbol it must equal
    reason: str = ""  # torch's words: `Eq(s77, 10)`, solved from ...
    frame: Frame | None = None  # the line that did


class Constraint(Value, frozen=True, omit_defaults=True):
    """A condition on symbols that must hold for the graph to be right, with the line that asks for it."""

    text: str  # Eq(s77, s27 - 1)
    frame: Frame | None = None


StageStatus = Literal["queued", "running", "done", "failed", "skipped"]


class Stage(Value, frozen=True, omit_defaults=True):
    """One step of the compiler stack for one target. `failed` keeps the graphs that were had before the failure."""

    id: StageId
    status: StageStatus
    seconds: float | None = None
    graphs: tuple[Graph, ...] = ()
    failures: tuple[Failure, ...] = ()
    reason: str = ""  # why it was skipped, or what else must be said about a stage that is done
    notes: tuple[str, ...] = ()
    breaks: tuple[Break, ...] = ()
    guards: tuple[Guard, ...] = ()
    recompiles: tuple[Recompile, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    constraints: tuple[Constraint, ...] = ()


class Compilation(Value, frozen=True, omit_defaults=True):
    """One frame as torch.compile compiled it in a logged run: by torch's own compile id, with the times it took."""

    id: str  # `2/1`: of the third frame, for the second time; torch counts from 0 again after a reset
    function: str = ""
    frame: Frame | None = None  # where the function begins
    fragment: int | None = None  # None: no graph came of it
    recompile: int = 0
    seconds: float | None = None  # of the whole; None: the log does not say
    phases: tuple[tuple[str, float], ...] = ()  # seconds of its parts, some inside others, in torch's names
    nodes: int | None = None  # of Dynamo's graph, as torch counted them
    guards: int | None = None
    cache: str = ""  # what Inductor's cache had: `hit`, `miss`, `bypass`
    failure: str = ""  # why it was given up


class Target(Value, frozen=True, omit_defaults=True):
    """One thing captured. `rule` is how it was found, in words for the page."""

    id: str  # t1, t2, ...
    title: str
    rule: str
    stages: tuple[Stage, ...] = ()
    frame: Frame | None = None  # the script's call
    compilations: tuple[Compilation, ...] = ()  # of a logged run, in order
    fits: tuple[StageId, ...] = ()  # the stages that the script's call has, make_fx for one; (): any

    def stages_among(self, asked: tuple[StageId, ...]) -> tuple[StageId, ...]:
        """Those it is to have when `asked` are asked for: at least one."""
        return tuple(stage for stage in self.fits if stage in asked or stage == "traced") or self.fits or asked


class File(Value, frozen=True, omit_defaults=True):
    """A submitted file. `text` is None for a binary one."""

    name: str
    size: int
    text: str | None = None


class GraphDocument(Value, frozen=True, omit_defaults=True):
    """A whole capture. `failures` says why nothing could be captured; a failed stage says so itself."""

    schema: str
    torch: str
    files: tuple[File, ...]
    options: Options
    targets: tuple[Target, ...] = ()
    failures: tuple[Failure, ...] = ()
    log: str = ""  # what the person's code printed: stdout and stderr as they came, capped
    log_cut: int = 0  # bytes dropped at the cap
