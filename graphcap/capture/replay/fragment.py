"""The replay of what AOTAutograd made of one Dynamo fragment, on the tensors the fragment is called with.

Eager PyTorch is here the fragment's own Dynamo graph, run eagerly: its outputs, what it writes into its inputs, and its
gradients from ones. How the graphs' inputs and outputs belong to those of the fragment, AOTAutograd's descriptors say.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
import torch.fx
from torch._functorch._aot_autograd import descriptors as aot

from graphcap.capture.record import flatten
from graphcap.capture.replay.compare import NotCompared, Pair
from graphcap.capture.replay.graphs import run_graph, writes
from graphcap.capture.replay.start import is_same, version_of

Values = Mapping[str, Any]
"""What a forward graph saved, by the names of its nodes."""

_PARTS = (
    "AOTAutograd takes the inputs apart (tensor subclasses, views of one base, effects), so they are not given to it here"
)
_PLAIN = (torch.Tensor, torch.nn.Parameter)


@dataclasses.dataclass(frozen=True)
class Reference:
    """The fragment run eagerly. Values by position: of the fragment's inputs, or of its outputs."""

    inputs: tuple[Any, ...]  # as they were before the call
    names: tuple[str, ...]
    outputs: tuple[Any, ...]
    written: Mapping[int, torch.Tensor]
    gradients: Mapping[int, torch.Tensor | None]  # of the inputs that require grad
    drew: bool = False  # random numbers

    def gradient(self, position: int) -> torch.Tensor:
        """Zeros where the outputs do not depend on the input."""
        found = self.gradients.get(position)
        return torch.zeros_like(self.inputs[position]) if found is None else found


def starts(joint: torch.fx.Graph) -> frozenset[int]:
    """The outputs of the fragment that a joint graph takes gradients for: of those that are views of one another, one."""
    descs = [node.meta.get("desc") for node in joint.find_nodes(op="placeholder")]
    found = [desc.output for desc in descs if isinstance(desc, aot.TangentAOTInput)]
    return frozenset(of.idx for of in found if isinstance(of, aot.PlainAOTOutput))


def run_eagerly(
    module: torch.fx.GraphModule, inputs: Sequence[Any], names: Sequence[str], wanted: frozenset[int]
) -> Reference:
    """Runs the Dynamo graph on copies of its inputs; gradients start from ones for the outputs `wanted`.

    Raises NotCompared.
    """
    if any(isinstance(value, torch.Tensor) and type(value) not in _PLAIN for value in inputs):
        raise NotCompared(_PARTS)
    given = [_fresh(value) for value in inputs]
    kept = [value.detach().clone() if isinstance(value, torch.Tensor) else value for value in inputs]
    versions = [version_of(value) if isinstance(value, torch.Tensor) else 0 for value in given]
    required = {i: value for i, value in enumerate(given) if isinstance(value, torch.Tensor) and value.requires_grad}
    before = torch.get_rng_state()
    outputs = module.forward(*given)
    drew = not torch.equal(torch.get_rng_state(), before)
    outputs = tuple(outputs) if isinstance(outputs, list | tuple) else (outputs,)
    written = {
        i: value.detach().clone()
        for i, value in enumerate(given)
        if isinstance(value, torch.Tensor) and (version_of(value) != versions[i] or not is_same(value, kept[i]))
    }
    gradients = _gradients([outputs[i] for i in sorted(wanted)], required)
    plain = tuple(value.detach() if isinstance(value, torch.Tensor) else value for value in outputs)
    return Reference(tuple(kept), tuple(names), plain, written, gradients, drew)


def _fresh(value: Any) -> Any:
    """A copy that autograd knows nothing of; no leaf where the original is none, as only those may be written into."""
    if not isinstance(value, torch.Tensor):
        return value
    copy = value.detach().clone()
    if not value.requires_grad:
        return copy
    copy.requires_grad_()
    return copy if value.is_leaf else _not_a_leaf(copy)


def _not_a_leaf(leaf: torch.Tensor) -> torch.Tensor:
    value = leaf.clone()
    value.graphcap_leaf = leaf  # type: ignore[attr-defined]
    return value


def _gradients(outputs: Sequence[Any], required: Mapping[int, torch.Tensor]) -> dict[int, torch.Tensor | None]:
    wanted = [value for value in outputs if isinstance(value, torch.Tensor) and value.requires_grad]
    if not wanted or not required:
        return {}
    leaves = [getattr(value, "graphcap_leaf", value) for value in required.values()]
    found = torch.autograd.grad(wanted, leaves, [torch.ones_like(value) for value in wanted], allow_unused=True)
    return dict(zip(required, found, strict=True))


def forward_or_joint(module: torch.fx.GraphModule, reference: Reference) -> tuple[list[Pair], Values]:
    """Runs a joint, forward or inference graph: what can be compared of it, and what it hands to a backward."""
    values = [_input(node, reference, module.graph) for node in module.graph.find_nodes(op="placeholder")]
    versions = [version_of(value) if isinstance(value, torch.Tensor) else 0 for value in values]
    returned = run_graph(module, values)
    found = list(_outputs(module.graph, returned, reference))
    for node, value, version in zip(module.graph.find_nodes(op="placeholder"), values, versions, strict=True):
        if isinstance(value, torch.Tensor) and version_of(value) != version:
            position = _position(node.meta.get("desc"))
            found.append(_written(position, value, reference))
    return found, _named(module.graph, returned)


def backward(module: torch.fx.GraphModule, saved: Values, reference: Reference) -> list[Pair]:
    """Runs a backward graph on what its forward saved."""
    values = []
    for node in module.graph.find_nodes(op="placeholder"):
        if isinstance(node.meta.get("desc"), aot.TangentAOTInput):
            values.append(_tangent(node.meta["desc"], reference))
        elif node.name in saved:
            values.append(saved[node.name])
        else:
            raise NotCompared(f"the forward graph does not return {node.name}")
    return list(_outputs(module.graph, run_graph(module, values), reference))


def _named(graph: torch.fx.Graph, returned: Sequence[Any]) -> dict[str, Any]:
    return {
        node.name: value for node, value in zip(_returns(graph), returned, strict=True) if isinstance(node, torch.fx.Node)
    }


def _returns(graph: torch.fx.Graph) -> list[Any]:
    output = next(iter(graph.find_nodes(op="output")))
    return list(flatten(output.args[0]))


def _input(node: torch.fx.Node, reference: Reference, graph: torch.fx.Graph) -> Any:
    desc = node.meta.get("desc")
    if isinstance(desc, aot.TangentAOTInput):
        return _tangent(desc, reference)
    value = reference.inputs[_position(desc)]
    return value.clone() if isinstance(value, torch.Tensor) and writes(graph) else value


def _position(desc: Any) -> int:
    """Which input of the fragment a descriptor means."""
    if not isinstance(desc, aot.PlainAOTInput):
        raise NotCompared(_PARTS)
    return int(desc.idx)


def _tangent(desc: aot.TangentAOTInput, reference: Reference) -> torch.Tensor:
    """Ones for what the fragment returns; zeros for what it only writes, which nothing is asked of here."""
    of = desc.output
    if isinstance(of, aot.PlainAOTOutput):
        return torch.ones_like(reference.outputs[of.idx])
    if isinstance(of, aot.InputMutationAOTOutput):
        position = _position(of.mutated_input)
        return torch.zeros_like(reference.written.get(position, reference.inputs[position]))
    raise NotCompared("AOTAutograd passes gradients by the bases of views, which are not made here")


def _outputs(graph: torch.fx.Graph, returned: Sequence[Any], reference: Reference) -> Iterator[Pair]:
    """The values that eager has too."""
    output = next(iter(graph.find_nodes(op="output")))
    descs = list(flatten(output.meta.get("desc")))
    if len(descs) != len(returned):
        raise NotCompared("AOTAutograd does not say what the graph returns")
    for desc, value in zip(descs, returned, strict=True):
        if isinstance(desc, aot.PlainAOTOutput):
            yield Pair(f"output {desc.idx}", value, reference.outputs[desc.idx])
        elif isinstance(desc, aot.InputMutationAOTOutput):
            yield _written(_position(desc.mutated_input), value, reference)
        elif isinstance(desc, aot.GradAOTOutput) and value is not None:
            position = _position(desc.grad_of)
            yield Pair(f"gradient of {reference.names[position]}", value, reference.gradient(position), gradient=True)


def _written(position: int, value: Any, reference: Reference) -> Pair:
    expected = reference.written.get(position, reference.inputs[position])
    return Pair(f"{reference.names[position]} after the call", value, expected)
