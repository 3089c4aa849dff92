"""One of the analyses: takes a Graph and a node's index, returns everything known about that node (docs/api.md)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from graphcap.analyses.columns import bodies
from graphcap.analyses.kinds import kind
from graphcap.analyses.labels import label, scalar_text, tensor_text, type_text
from graphcap.analyses.tensor_bytes import tensor_bytes
from graphcap.graph.document import (
    Arg,
    Atom,
    Cut,
    Graph,
    GraphRef,
    Map,
    Meta,
    Node,
    OpSchema,
    Origin,
    Ref,
    Scalar,
    Seq,
    TensorMeta,
    Tuple,
)
from graphcap.graph.edges import argument_refs, node_refs


class Argument(msgspec.Struct, frozen=True):
    """One argument: its name in the schema (or its position), as Python would write it, and the nodes in it."""

    name: str
    text: str
    refs: tuple[str, ...]


class Output(msgspec.Struct, frozen=True):
    """One value. A tensor has every field but `text`, anything else has `text`; `bytes` is None where it is no number."""

    type: str
    text: str | UnsetType = UNSET
    dtype: str | UnsetType = UNSET
    shape: tuple[int | str, ...] | UnsetType = UNSET
    stride: tuple[int | str, ...] | UnsetType | None = UNSET
    device: str | UnsetType = UNSET
    layout: str | UnsetType = UNSET
    requires_grad: bool | UnsetType = UNSET
    bytes: int | UnsetType | None = UNSET


class Returned(msgspec.Struct, frozen=True):
    """One value the graph returns; `node` is None for a constant."""

    kind: str
    name: str
    desc: str
    node: str | None


class User(msgspec.Struct, frozen=True):
    """A node that reads this one, and where in its arguments."""

    name: str
    slot: str


class Details(msgspec.Struct, frozen=True):
    """One node whole. Values of the document stand here with every field, also those the document leaves out."""

    name: str
    index: int
    op: str
    target: str
    label: str
    kind: str
    type: str
    schema: str
    doc: str
    args: tuple[Argument, ...]
    outputs: tuple[Output, ...]
    modules: tuple[dict[str, Any], ...]
    frames: tuple[dict[str, Any], ...]
    origin: Origin
    placeholder: dict[str, Any] | None
    returns: tuple[Returned, ...]
    bodies: tuple[str, ...]
    tags: tuple[str, ...]
    users: tuple[User, ...]


class EveryDetails(msgspec.Struct, frozen=True):
    """The nodes of a graph in their order."""

    nodes: tuple[Details, ...]


def node_index(graph: Graph, name: str) -> int | None:
    """The index of the node called `name`."""
    return next((i for i, node in enumerate(graph.nodes) if node.name == name), None)


def details(graph: Graph, index: int) -> Details:
    """Everything known about node `index`."""
    users = tuple(
        User(user.name, slot) for user in graph.nodes[index + 1 :] for source, slot in node_refs(user) if source == index
    )
    return _details(graph, index, users)


def every_details(graph: Graph) -> EveryDetails:
    """Everything known about every node; takes time in proportion to the nodes and edges."""
    users: list[list[User]] = [[] for _ in graph.nodes]
    for user in graph.nodes:
        for source, slot in node_refs(user):
            users[source].append(User(user.name, slot))
    return EveryDetails(tuple(_details(graph, index, tuple(users[index])) for index in range(len(graph.nodes))))


def _details(graph: Graph, index: int, users: tuple[User, ...]) -> Details:
    node = graph.nodes[index]
    schema = graph.schemas[node.schema] if node.schema >= 0 else OpSchema("")
    return Details(
        name=node.name,
        index=index,
        op=node.op,
        target=node.target,
        label=label(node),
        kind=kind(node),
        type=type_text(node.value, most=1_000_000),
        schema=schema.text,
        doc=schema.doc,
        args=_arguments(graph, node, schema),
        outputs=_outputs(node.value),
        modules=tuple(asdict(module) for module in graph.modules[node.module]) if node.module >= 0 else (),
        frames=tuple(asdict(graph.frames[i]) for i in graph.stacks[node.stack]) if node.stack >= 0 else (),
        origin=node.origin or Origin(),
        placeholder=_placeholder(node),
        returns=tuple(
            Returned(out.kind, out.name, out.desc, None if out.node is None else graph.nodes[out.node].name)
            for out in node.returns
        ),
        bodies=bodies(node),
        tags=node.tags,
        users=users,
    )


def _placeholder(node: Node) -> dict[str, Any] | None:
    if node.placeholder is None:
        return None
    statistics = node.placeholder.statistics
    return {**asdict(node.placeholder), "statistics": None if statistics is None else asdict(statistics)}


# ------------------------------------------------------------------------------------------------------------- arguments


def _arguments(graph: Graph, node: Node, schema: OpSchema) -> tuple[Argument, ...]:
    named = [(schema.args[i] if i < len(schema.args) else str(i), arg) for i, arg in enumerate(node.args)]
    return tuple(
        Argument(
            name, argument_text(graph, arg), tuple(dict.fromkeys(graph.nodes[i].name for i, _ in argument_refs(arg, "")))
        )
        for name, arg in (*named, *node.kwargs)
    )


def argument_text(graph: Graph, arg: Arg) -> str:
    """An argument as Python would write it, nodes by their names. Recursion is bounded by the check of the document."""
    match arg:
        case Ref(node=i):
            return graph.nodes[i].name
        case Atom(text=text):
            return text
        case GraphRef(name=name, graph=gid):
            return name or gid
        case Cut(head=head, size=size, type=kind_of):
            return f"{head}… ({kind_of}, {size} long)"
        case Seq():
            return _sequence_text(arg.type, [argument_text(graph, part) for part in arg.items])
        case Map(items=items):
            return "{" + ", ".join(f"{key}: {argument_text(graph, part)}" for key, part in items) + "}"
        case _:
            return repr(arg)


def _sequence_text(kind_of: str, parts: list[str]) -> str:
    inside = ", ".join(parts)
    if kind_of == "list":
        return f"[{inside}]"
    if kind_of == "slice":
        return f"slice({inside})"
    return f"({inside},)" if len(parts) == 1 else f"({inside})"


# --------------------------------------------------------------------------------------------------------------- outputs


def _outputs(value: Meta | None) -> tuple[Output, ...]:
    """The values of a node, tuples opened, in order."""
    found: list[Output] = []
    pending = [] if value is None else [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Tuple):
            pending.extend(reversed(item.items))
        else:
            found.append(_tensor(item) if isinstance(item, TensorMeta) else _other(item))
    return tuple(found)


def _tensor(value: TensorMeta) -> Output:
    return Output(
        type=tensor_text(value),
        dtype=value.dtype,
        shape=value.shape,
        stride=value.stride,
        device=value.device,
        layout=value.layout,
        requires_grad=value.requires_grad,
        bytes=tensor_bytes(value),
    )


def _other(value: Scalar) -> Output:
    return Output(scalar_text(value), text=value.text)
