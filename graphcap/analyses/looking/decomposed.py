"""One of the analyses: takes nodes, returns which of them were decomposed from one call of the model.

torch records that call in two ways. A node of the forward names it in `from_node`, whose last entry is the oldest graph's
node (the exported one for core ATen, Dynamo's for the joint graph). A node that differentiates has no such entry, but its
`source_fn` names the call of the forward (`linear_7: torch.nn.modules.linear.Linear`). A sum of gradients has neither: it
comes from no call. Only calls that several nodes came from are listed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from graphcap.graph.document import Node, Origin

NUMBER = re.compile(r"_\d+$")
"""What torch appends to a name that was taken."""


class Call(msgspec.Struct, frozen=True):
    """A call that became several nodes: `name` is its node's in the graph it stands in, `op` what it called.

    `backward`: these nodes compute its gradients.
    """

    name: str
    op: str
    backward: bool


class Calls(NamedTuple):
    """`call[i]`: index into `table` of the call node i was decomposed from, or -1."""

    table: tuple[Call, ...]
    call: list[int]


def calls(nodes: Sequence[Node]) -> Calls:
    """Calls that several nodes came from, in the order of their first nodes."""
    found: dict[tuple[str, bool], list[int]] = {}
    for i, node in enumerate(nodes):
        key = _called(node.origin) if node.origin and node.op.startswith("call_") else None
        if key:
            found.setdefault(key, []).append(i)
    table: list[Call] = []
    call = [-1] * len(nodes)
    for (name, backward), members in found.items():
        if len(members) > 1:
            for i in members:
                call[i] = len(table)
            origin = nodes[members[0]].origin
            table.append(Call(name, _op(name, origin) if origin else name, backward))
    return Calls(tuple(table), call)


def _called(origin: Origin) -> tuple[str, bool] | None:
    """The call's name, and whether the node differentiates it; None where torch recorded no call."""
    if origin.from_node:
        return origin.from_node[-1].name, False
    if origin.source_fn:
        differentiates = origin.autograd_backward or origin.partitioner_tag in ("is_backward", "must_be_in_backward")
        return _before(origin.source_fn), differentiates
    return None


def _op(name: str, origin: Origin) -> str:
    """`layer_norm`: by torch_fn (`layer_norm_1: function.layer_norm`), else by the name Dynamo gave it, or by `name`."""
    if origin.torch_fn:
        return origin.torch_fn.rsplit(".", 1)[-1]
    return NUMBER.sub("", _before(origin.source_fn) or name)


def _before(source_fn: str) -> str:
    return source_fn.partition(":")[0].strip()
