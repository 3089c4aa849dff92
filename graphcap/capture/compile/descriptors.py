"""What the inputs and outputs of AOTAutograd's graphs stand for.

torch describes each by its position in the Dynamo fragment (`GradAOTOutput(grad_of=PlainAOTInput(idx=1))`); joined with the
fragment's own inputs that becomes "the gradient of `seq.0.weight`". Inputs that AOTAutograd takes apart or invents (parts of
tensor subclasses, bases of views, random state, tokens) are named after the input they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.fx
from torch._functorch._aot_autograd import descriptors as aot

from graphcap.capture.fx.values import safe_text
from graphcap.graph.document import Output, OutputKind, Placeholder

_TOKENS = (aot.ForwardTokenAOTInput, aot.BackwardTokenAOTInput)
_TOKENS_OUT = (aot.ForwardTokenAOTOutput, aot.BackwardTokenAOTOutput)
_SAVED = (aot.SavedForBackwardsAOTOutput, aot.SavedForBackwardsNoVcCheckAOTOutput)
_MUTATION: dict[str, OutputKind] = {"parameter": "parameter_mutation", "buffer": "buffer_mutation"}


def described_inputs(graph: torch.fx.Graph, inputs: Sequence[Placeholder]) -> dict[str, Placeholder]:
    """The placeholders of a joint, forward or inference graph by node name. `inputs`: the fragment's own, in order."""
    return {node.name: _input_of(node, inputs) for node in graph.find_nodes(op="placeholder")}


def saved_inputs(backward: torch.fx.Graph, inputs: Sequence[Placeholder]) -> dict[str, Placeholder]:
    """The placeholders of a backward graph: tangents, and what the forward saved, named as its node or input there."""
    found: dict[str, Placeholder] = {}
    for node in backward.find_nodes(op="placeholder"):
        desc = node.meta.get("desc")
        if desc is None:
            found[node.name] = Placeholder("symint" if _symbolic(node) else "saved", node.name)
            continue
        own = _input_of(node, inputs)
        kept = own if own.kind in ("tangent", "symint", "token", "other") else Placeholder("saved", own.name, own.desc)
        found[node.name] = kept
    return found


def _input_of(node: torch.fx.Node, inputs: Sequence[Placeholder]) -> Placeholder:
    own = describe_input(node.meta.get("desc"), inputs)
    kind = "symint" if _symbolic(node) and own.kind != "token" else own.kind
    return Placeholder(kind, own.name or node.name, own.desc, own.persistent)


def describe_input(desc: Any, inputs: Sequence[Placeholder]) -> Placeholder:
    """One input by its descriptor."""
    text = safe_text(desc) if desc is not None else ""
    if isinstance(desc, aot.PlainAOTInput) and desc.idx < len(inputs):
        own = inputs[desc.idx]
        return Placeholder(own.kind, own.name, f"{text}, {own.desc}" if own.desc else text, own.persistent)
    if isinstance(desc, aot.ParamAOTInput):
        return Placeholder("parameter", desc.target, text)
    if isinstance(desc, aot.BufferAOTInput):
        return Placeholder("buffer", desc.target, text)
    if isinstance(desc, aot.TangentAOTInput):
        return Placeholder("tangent", _output_name(desc.output, inputs), text)
    if isinstance(desc, _TOKENS):
        return Placeholder("token", "", text)
    if isinstance(desc, aot.SubclassGetAttrAOTInput):
        base = describe_input(desc.base, inputs)
        return Placeholder(base.kind, f"{base.name}.{desc.attr}", text, base.persistent)
    if isinstance(desc, aot.SubclassSizeAOTInput | aot.SubclassStrideAOTInput):
        part = "size" if isinstance(desc, aot.SubclassSizeAOTInput) else "stride"
        return Placeholder("symint", f"{describe_input(desc.base, inputs).name}.{part}({desc.idx})", text)
    if isinstance(desc, aot.ViewBaseAOTInput | aot.SyntheticBaseAOTInput):
        view = describe_input(desc.base_of, inputs)
        return Placeholder(view.kind, f"{view.name}._base", text)
    return Placeholder("input" if desc is None or isinstance(desc, aot.PlainAOTInput) else "other", "", text)


def _output_name(desc: Any, inputs: Sequence[Placeholder]) -> str:
    """`output 0`, or what is mutated."""
    if isinstance(desc, aot.PlainAOTOutput):
        return f"output {desc.idx}"
    if isinstance(desc, aot.IntermediateBaseAOTOutput):
        return f"base of {_output_name(desc.base_of, inputs)}"
    return describe_output(desc, inputs).name


def described_outputs(graph: torch.fx.Graph, inputs: Sequence[Placeholder]) -> list[Output]:
    """What a graph returns, in order. A gradient that is None (the input needs none) keeps the name of its input."""
    node = next(iter(graph.find_nodes(op="output")))
    values = list(node.args[0]) if isinstance(node.args[0], list | tuple) else [node.args[0]]
    descs = node.meta.get("desc")
    if not isinstance(descs, list | tuple) or len(descs) != len(values):
        descs = [None] * len(values)
    found = [
        Output("user_output") if desc is None and value is not None else describe_output(desc, inputs)
        for value, desc in zip(values, descs, strict=True)
    ]
    return [_named_saved(output, value, inputs) for output, value in zip(found, values, strict=True)]


def name_missing_gradients(outputs: list[Output], primals: Sequence[Placeholder]) -> list[Output]:
    """`outputs` of a joint or backward graph: the last ones are gradients, one for each of the forward's `primals`."""
    first = len(outputs) - len(primals)
    if first < 0:
        return outputs
    gradients = [
        Output("gradient", name=primal.name) if output.kind == "other" and not output.desc else output
        for output, primal in zip(outputs[first:], primals, strict=True)
    ]
    return outputs[:first] + gradients


def describe_output(desc: Any, inputs: Sequence[Placeholder]) -> Output:
    """One value returned, by its descriptor."""
    text = safe_text(desc) if desc is not None else ""
    if isinstance(desc, aot.PlainAOTOutput):
        return Output("user_output", desc=text)
    if isinstance(desc, aot.InputMutationAOTOutput):
        mutated = describe_input(desc.mutated_input, inputs)
        return Output(_MUTATION.get(mutated.kind, "input_mutation"), name=mutated.name, desc=text)
    if isinstance(desc, aot.GradAOTOutput):
        return Output("gradient", name=describe_input(desc.grad_of, inputs).name, desc=text)
    if isinstance(desc, _SAVED):
        return Output("saved", desc=text)
    if isinstance(desc, _TOKENS_OUT):
        return Output("token", desc=text)
    if isinstance(desc, aot.SubclassGetAttrAOTOutput):
        base = describe_output(desc.base, inputs)
        return Output(base.kind, name=f"{base.name}.{desc.attr}" if base.name else "", desc=text)
    if isinstance(desc, aot.SubclassSizeAOTOutput | aot.SubclassStrideAOTOutput):
        base = describe_output(desc.base, inputs)
        return Output(base.kind, name=base.name, desc=text)
    if isinstance(desc, aot.IntermediateBaseAOTOutput):
        return Output("other", name=_output_name(desc, inputs), desc=text)
    return Output("other", desc=text)


def _named_saved(output: Output, value: Any, inputs: Sequence[Placeholder]) -> Output:
    """A saved value is named as the backward names it: the input it is, or the forward's node."""
    if output.kind != "saved" or not isinstance(value, torch.fx.Node):
        return output
    own = _input_of(value, inputs).name if value.op == "placeholder" else value.name
    return Output("saved", name=own, desc=output.desc)


def _symbolic(node: torch.fx.Node) -> bool:
    return isinstance(node.meta.get("val"), torch.SymInt | torch.SymFloat | torch.SymBool)
