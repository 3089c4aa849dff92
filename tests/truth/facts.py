"""What is compared of a graph, as plain values. Read off raw torch.fx here; `product.py` reads the same off the document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx

Facts = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """Where the person's code is: its file, and the dotted path of every module by `str(id(module))`."""

    path: str
    modules: dict[str, str]
    tensors: dict[int, str]  # dotted name of every parameter and buffer by its id

    @classmethod
    def of(cls, path: str, model: Any) -> Place:
        if not isinstance(model, torch.nn.Module):
            return cls(path, {}, {})
        tensors = [*model.named_parameters(), *model.named_buffers()]
        return cls(
            path,
            {str(id(module)): name for name, module in model.named_modules()},
            {id(tensor): name for name, tensor in tensors},
        )


def graphs_of(module: fx.GraphModule, gid: str, place: Place) -> dict[str, Facts]:
    """The graph and every body below it, by id: `export.0`, `export.0/true_graph_0`."""
    found = {gid: graph_facts(module.graph, place)}
    for node in module.graph.nodes:
        if node.op == "get_attr":
            body = attribute(module, node.target)
            if isinstance(body, fx.GraphModule):
                found |= graphs_of(body, f"{gid}/{node.target}", place)
    return found


def owners(graph: fx.Graph, inputs: Sequence[Any], place: Place) -> dict[str, str] | None:
    """The parameter or buffer that each placeholder stands for; None where the graph's inputs are not its fragment's."""
    names = [node.name for node in graph.nodes if node.op == "placeholder" and not node.name.startswith("tangents")]
    if len(names) != len(inputs):  # merged, left out, or a tensor subclass taken apart
        return None
    return {name: place.tensors[id(given)] for name, given in zip(names, inputs, strict=True) if id(given) in place.tensors}


def signature_owners(program: torch.export.ExportedProgram) -> dict[str, str]:
    """The same of an exported program, by its signature."""
    signature = program.graph_signature
    return {**signature.inputs_to_parameters, **signature.inputs_to_buffers}


def attribute(module: Any, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name, None)
    return module


def graph_facts(graph: fx.Graph, place: Place) -> Facts:
    return {
        "nodes": [[node.name, node.op, target(node)] for node in graph.nodes],
        "edges": sorted([source.name, node.name] for node in graph.nodes for source in uses(node)),
        "values": {node.name: value(val(node), traced_grad(node)) for node in graph.nodes if has_val(node)},
        "modules": {node.name: path for node in graph.nodes if (path := module_path(node, place))},
        "lines": {node.name: line for node in graph.nodes if (line := user_line(node, place))},
        "text": str(graph),
    }


def target(node: fx.Node) -> str:
    """An operator's full overload (`aten.sum.dim_IntList`), else what the graph prints (`operator.add`)."""
    return str(node.target) if isinstance(node.target, torch._ops.OpOverload) else node._pretty_print_target(node.target)


def uses(node: fx.Node) -> list[fx.Node]:
    """Every node in the arguments, as often as it is there (`all_input_nodes` forgets the second use)."""
    found: list[fx.Node] = []
    fx.map_arg((node.args, node.kwargs), found.append)
    return found


def has_val(node: fx.Node) -> bool:
    return "val" in node.meta or "example_value" in node.meta


def val(node: fx.Node) -> Any:
    return node.meta.get("val", node.meta.get("example_value"))


def traced_grad(node: fx.Node) -> bool:
    """Whether the value required grad while it was traced; `val` is detached from its graph afterwards."""
    return bool(getattr(node.meta.get("tensor_meta"), "requires_grad", False))


def value(val: Any, grad: bool = False) -> Any:
    """A tensor as [dtype, shape, stride, requires_grad], several values as a list, anything else as the name of its kind."""
    if isinstance(val, torch.Tensor):
        stride = [str(n) for n in val.stride()] if val.layout is torch.strided else None
        return [str(val.dtype).removeprefix("torch."), [str(n) for n in val.shape], stride, val.requires_grad or grad]
    if isinstance(val, list | tuple):
        return {"items": [value(item) for item in val]}
    return "other"


def module_path(node: fx.Node, place: Place) -> str:
    """Dotted path of the innermost module, as `nn_module_stack` has it."""
    stack = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack")
    if not stack:
        return ""
    key, (path, _) = list(stack.items())[-1]
    if path == "_empty_nn_module_stack_from_metadata_hook":  # what torch.export.save writes for none
        return ""
    return place.modules.get(key.split("@")[0], str(path).split("@")[0])


def user_line(node: fx.Node, place: Place) -> int:
    """The innermost line of the person's file in the stack trace, 0 for none."""
    found = re.findall(rf'File "{re.escape(place.path)}", line (\d+)', node.meta.get("stack_trace") or "")
    return int(found[-1]) if found else 0
