"""One graph: its nodes in execution order and the tables they index, and how it did when it was run again."""

from __future__ import annotations

from typing import Literal

from graphcap.graph.document.nodes import Node
from graphcap.graph.document.value import Value


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
