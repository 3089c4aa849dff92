"""Where a node came from, as torch recorded it, and what a placeholder or an output stands for by torch's descriptors."""

from __future__ import annotations

from typing import Any

import torch.fx

from graphcap.capture.fx.modules import clean_path
from graphcap.capture.fx.values import safe_text
from graphcap.graph.document import Origin, Output, OutputKind, Placeholder, PlaceholderKind, Source

MAX_SOURCES = 64  # a node that went through twenty passes has about forty

NOT_RECOMPUTED, NOT_SAVED = "graphcap_not_recomputed", "graphcap_not_saved"
"""The keys under which `graphcap.capture.partition` leaves what min-cut says of a node."""

_EMPTY = Origin()

_INPUT_KINDS: dict[str, PlaceholderKind] = {
    "ParamAOTInput": "parameter",
    "BufferAOTInput": "buffer",
    "PlainAOTInput": "input",
    "TangentAOTInput": "tangent",
    "ForwardTokenAOTInput": "token",
    "BackwardTokenAOTInput": "token",
}
_OUTPUT_KINDS: dict[str, OutputKind] = {
    "PlainAOTOutput": "user_output",
    "InputMutationAOTOutput": "input_mutation",
    "GradAOTOutput": "gradient",
    "SavedForBackwardsAOTOutput": "saved",
    "SavedForBackwardsNoVcCheckAOTOutput": "saved",
    "ForwardTokenAOTOutput": "token",
    "BackwardTokenAOTOutput": "token",
}


def origin(node: torch.fx.Node) -> Origin | None:
    """The node's provenance; None when torch recorded nothing."""
    meta = node.meta
    original = meta.get("original_aten")
    recompute = meta.get("recompute")
    seq_nr = meta.get("seq_nr")
    found = Origin(
        from_node=tuple(_sources(meta.get("from_node"))),
        original_aten="" if original is None else safe_text(original),
        torch_fn=": ".join(map(safe_text, meta["torch_fn"])) if isinstance(meta.get("torch_fn"), tuple) else "",
        source_fn=_source_fn(meta.get("source_fn_stack") or meta.get("fwd_source_fn_stack")),
        seq_nr=seq_nr if type(seq_nr) is int else None,
        partitioner_tag=safe_text(meta.get("partitioner_tag") or ""),
        autograd_backward=bool(meta.get("autograd_backward", False)),
        recompute="" if recompute is None else safe_text(getattr(recompute, "name", recompute)),
        not_recomputed=meta.get(NOT_RECOMPUTED, ""),
        not_saved=meta.get(NOT_SAVED, ""),
    )
    return None if found == _EMPTY else found


def _sources(recorded: Any) -> list[Source]:
    """`from_node` flattened: each entry before those it came from."""
    found: list[Source] = []
    pending = list(reversed(recorded)) if isinstance(recorded, list | tuple) else []
    while pending and len(found) < MAX_SOURCES:
        source = pending.pop()
        graph_id = getattr(source, "graph_id", 0)
        found.append(
            Source(
                name=safe_text(getattr(source, "name", "") or ""),
                pass_name=safe_text(getattr(source, "pass_name", "") or ""),
                action="+".join(safe_text(getattr(action, "name", action)).lower() for action in source.action or ()),
                graph_id=graph_id if type(graph_id) is int and -1 <= graph_id < 2**63 else 0,
            )
        )
        pending.extend(reversed(source.from_node or ()))
    return found


def _source_fn(stack: Any) -> str:
    if not isinstance(stack, list) or not stack or not isinstance(stack[-1], tuple) or len(stack[-1]) < 2:
        return ""
    name, function = stack[-1][:2]
    if not isinstance(function, str):
        qualified = getattr(function, "__qualname__", None) or getattr(function, "__name__", None)
        module = getattr(function, "__module__", None)
        function = f"{module}.{qualified}" if qualified and module else qualified or function
    return f"{safe_text(name)}: {safe_text(function)}"


def placeholder(node: torch.fx.Node) -> Placeholder:
    """What an input stands for by its AOTAutograd descriptor; without one, an input of its own name."""
    desc = node.meta.get("desc")
    if desc is None:
        return Placeholder("input", safe_text(node.target))
    kind = _INPUT_KINDS.get(type(desc).__name__, "other")
    return Placeholder(kind, descriptor_name(desc) or safe_text(node.target), safe_text(desc))


def descriptor_name(desc: Any) -> str:
    """The dotted name inside a descriptor (`ParamAOTInput(target='seq.0.weight')`), unwrapped; "" when it has none."""
    for _ in range(8):  # descriptors nest: GradAOTOutput(grad_of=SubclassGetAttrAOTInput(base=...))
        target = getattr(desc, "target", None)
        if isinstance(target, str):
            return clean_path(target)
        inner = (getattr(desc, name, None) for name in ("grad_of", "mutated_input", "base", "output"))
        desc = next((part for part in inner if part is not None), None)
    return ""


def outputs(node: torch.fx.Node, count: int) -> list[Output]:
    """The kinds of the `count` values an output node returns, by its descriptors; without them, user outputs."""
    descs = node.meta.get("desc")
    if not isinstance(descs, list | tuple) or len(descs) != count:
        return [Output("user_output")] * count
    return [
        Output(_OUTPUT_KINDS.get(type(desc).__name__, "other"), None, descriptor_name(desc), safe_text(desc))
        for desc in descs
    ]
