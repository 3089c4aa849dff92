"""An FX graph as graphs of the document: the graph itself, then the body of every higher-order op in it.

One bad node never loses the graph: what can be had of it is recorded, with an `Atom` or `Scalar` saying what could not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import torch
import torch.fx

from graphcap.capture.fx import origin as origins
from graphcap.capture.fx import printed
from graphcap.capture.fx.arguments import argument
from graphcap.capture.fx.frames import FrameTable
from graphcap.capture.fx.modules import ModuleTable
from graphcap.capture.fx.operators import OperatorTable
from graphcap.capture.fx.statistics import Measured
from graphcap.capture.fx.values import meta, node_value, safe_text, with_storage
from graphcap.graph.document import Arg, Atom, Graph, GraphRef, Meta, Node, OpSchema, Output, Placeholder

MAX_BODY_DEPTH = 16  # graphcap.graph.check's limit on a GID's length


class Recorder:
    """Records the graphs of one target.

    `user_files` maps absolute paths of the work folder to the names of submitted files; `model` gives Dynamo's module
    stacks their dotted paths; `measured` are the statistics of its tensors, where they were asked for.
    """

    def __init__(self, user_files: Mapping[str, str], model: object = None, measured: Measured | None = None) -> None:
        self.user_files = dict(user_files)
        self.model = model
        self.measured = measured
        self.operators = OperatorTable()

    def record(
        self,
        graph: torch.fx.GraphModule | torch.fx.Graph,
        *,
        gid: str,
        title: str,
        fragment: int = 0,
        placeholders: Mapping[str, Placeholder] | None = None,
        returns: Sequence[Output] | None = None,
        inference: bool = False,
        parent: str = "",
        variant: str = "",
        recompile: int = 0,
    ) -> list[Graph]:
        """The graph, then its bodies (GID `gid/attribute`, `parent` set).

        `placeholders` names inputs by node name (without: torch's descriptors, else an input of its own name).
        `returns` gives kind, name and desc of every value returned, flattened, in order; node indices are filled in here.
        """
        module = graph if isinstance(graph, torch.fx.GraphModule) else graph.owning_module
        work = _Work(self, graph.graph if isinstance(graph, torch.fx.GraphModule) else graph, module, gid)
        nodes = tuple(work.node(node, placeholders or {}, returns) for node in work.nodes)
        text, text_lines = printed.printed(work.graph, work.nodes)
        readable, readable_lines = printed.readable(module, work.graph, work.names)
        own = Graph(
            id=gid,
            title=title,
            fragment=fragment,
            nodes=nodes,
            frames=work.frames.frames,
            stacks=work.frames.stacks,
            modules=work.modules.stacks,
            schemas=tuple(work.schemas),
            text=text,
            text_lines=text_lines,
            readable=readable,
            readable_lines=readable_lines,
            inference=inference,
            parent=parent,
            variant=variant,
            recompile=recompile,
        )
        bodies = [(body, f"{gid}/{name}", name) for name, body in work.bodies.items()]
        return [
            own,
            *(
                g
                for body, id_, name in bodies
                for g in self.record(
                    body, gid=id_, title=name, fragment=fragment, parent=gid, variant=variant, recompile=recompile
                )
            ),
        ]


class _Work:
    """The tables of one graph while it is being recorded."""

    def __init__(self, recorder: Recorder, graph: torch.fx.Graph, module: torch.nn.Module | None, gid: str) -> None:
        self.graph = graph
        self.module = module
        self.gid = gid
        self.statistics = recorder.measured
        self.nodes = list(graph.nodes)
        self.index = {node: i for i, node in enumerate(self.nodes)}
        self.names = {node.name: i for i, node in enumerate(self.nodes)}
        self.frames = FrameTable(recorder.user_files)
        self.modules = ModuleTable(recorder.model)
        self.operators = recorder.operators
        self.schemas: dict[OpSchema, int] = {}
        self.bodies: dict[str, torch.fx.GraphModule] = {}
        self.storages: dict[int, int] = {}

    def node(self, node: torch.fx.Node, given: Mapping[str, Placeholder], returns: Sequence[Output] | None) -> Node:
        operator = self.operators.operator(node)
        held = self.attribute(node)
        return Node(
            name=node.name,
            op=cast(Any, node.op),
            target=operator.target,
            args=tuple(self.argument(arg) for arg in node.args),
            kwargs=tuple((safe_text(name), self.argument(arg)) for name, arg in node.kwargs.items()),
            value=self.value(node, held),
            stack=self.frames.stack(node.meta.get("stack_trace") or None),
            module=self.modules.stack(node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack")),
            origin=self.origin(node),
            placeholder=self.measured(self.placeholder(node, held, given)),
            returns=self.returns(node, returns) if node.op == "output" else (),
            bodies=self.body_ids(node),
            tags=operator.tags,
            schema=-1 if operator.schema is None else self.schemas.setdefault(operator.schema, len(self.schemas)),
        )

    def argument(self, value: Any) -> Arg:
        try:
            return argument(value, self.index, self.direct_body)
        except Exception as error:  # a stranger's constant may raise from any of its methods
            return Atom(type(value).__name__, f"could not be read: {safe_text(error)}")

    def value(self, node: torch.fx.Node, held: Any) -> Meta | None:
        found = node_value(node)
        if node.op == "placeholder":
            return with_storage(found, node.meta.get("val"), self.index[node], self.storages)
        if found is None and isinstance(held, torch.Tensor | torch.ScriptObject):
            return meta(held)
        return found

    def origin(self, node: torch.fx.Node) -> Any:
        try:
            return origins.origin(node)
        except Exception:  # passes of other people may leave anything in meta
            return None

    def measured(self, placeholder: Placeholder | None) -> Placeholder | None:
        """With its statistics, where they were asked for."""
        if self.statistics is None or placeholder is None:
            return placeholder
        return self.statistics.told(placeholder)

    def placeholder(self, node: torch.fx.Node, held: Any, given: Mapping[str, Placeholder]) -> Placeholder | None:
        if node.op == "placeholder":
            return given.get(node.name) or origins.placeholder(node)
        if node.op == "get_attr" and node.name in given:
            return given[node.name]
        if node.op != "get_attr" or not isinstance(held, torch.Tensor):
            return None
        return Placeholder("parameter" if isinstance(held, torch.nn.Parameter) else "constant", safe_text(node.target))

    def returns(self, node: torch.fx.Node, given: Sequence[Output] | None) -> tuple[Output, ...]:
        leaves = list(flatten(node.args[0] if node.args else None))
        known = given if given is not None and len(given) == len(leaves) else origins.outputs(node, len(leaves))
        return tuple(
            Output(output.kind, self.index.get(leaf) if isinstance(leaf, torch.fx.Node) else None, output.name, output.desc)
            for leaf, output in zip(leaves, known, strict=True)
        )

    def attribute(self, node: torch.fx.Node) -> Any:
        """What a get_attr or call_module node's target is; None when it cannot be reached."""
        if node.op not in ("get_attr", "call_module") or not isinstance(node.target, str):
            return None
        held: Any = self.module
        for part in node.target.split("."):
            held = getattr(held, part, None)
        return held

    def body_ids(self, node: torch.fx.Node) -> tuple[str, ...]:
        """GIDs of the graphs that a call runs: get_attr nodes and GraphModules among its arguments, or its own module."""
        if node.op in ("placeholder", "get_attr", "output") or self.gid.count("/") >= MAX_BODY_DEPTH:
            return ()
        found = [self.body(str(source.target), self.attribute(source)) for source in (node, *node.all_input_nodes)]
        found += [self.body(_attribute_name(part, self.module), part) for part in flatten((node.args, node.kwargs))]
        return tuple(dict.fromkeys(gid for gid in found if gid))

    def body(self, name: str, held: Any) -> str:
        if not isinstance(held, torch.fx.GraphModule) or held is self.module:
            return ""
        name = re.sub(r"[^A-Za-z0-9_.\-]", "_", name)[:200]
        self.bodies.setdefault(name, held)
        return f"{self.gid}/{name}"

    def direct_body(self, held: torch.fx.GraphModule) -> GraphRef | None:
        if self.gid.count("/") >= MAX_BODY_DEPTH:
            return None
        name = _attribute_name(held, self.module)
        gid = self.body(name, held)
        return GraphRef(gid, name) if gid else None


def _attribute_name(held: Any, module: torch.nn.Module | None) -> str:
    """The attribute of `module` that holds a GraphModule passed as a constant; a name of its own when none does."""
    if not isinstance(held, torch.fx.GraphModule):
        return ""
    children = module.named_modules() if module is not None else ()
    return next((name for name, child in children if child is held), f"graph_{id(held):x}")


def flatten(value: Any) -> Iterator[Any]:
    """The leaves of nested lists, tuples and dicts, in order."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from flatten(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from flatten(item)
    else:
        yield value
