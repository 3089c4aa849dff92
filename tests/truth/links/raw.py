"""What raw torch wrote down about where nodes came from: read off `node.meta` of the graphs themselves, which are kept, so
that the ids in `from_node` are known for what they are. Knows nothing of graphcap's links.

Per graph (by the GID graphcap gives it) and node: `made`, the (GID, name) it was made from, the nearest graph first; `seq`,
`stack`, `fn`, `original`, `back` as recorded; `given`, what an input is in the person's terms.
"""

from __future__ import annotations

import contextlib
import copy
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from functorch.compile import make_boxed_func
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch.utils._pytree import tree_leaves

from tests.truth.facts import Facts, attribute, signature_owners, target
from tests.truth.loading import Subject, load
from tests.truth.oracle import PARTITIONERS, _export, _forked

Raw = dict[str, dict[str, Facts]]
"""GID -> name -> facts."""


class Book:
    """Graphs seen so far, by the id Python gave them, and the facts of those asked for."""

    def __init__(self) -> None:
        self.kept: list[Any] = []  # an id is only good while its graph lives
        self.gids: dict[int, str] = {}
        self.raw: Raw = {}

    def see(self, module: fx.GraphModule, gid: str, given: dict[str, str] | None = None) -> None:
        """Writes down a graph and its bodies."""
        found = list(bodies(module, gid))
        for each, graph in found:
            self.kept.append(graph)
            self.gids[id(graph)] = each
        for each, graph in found:
            self.raw[each] = {node.name: self._facts(node) for node in graph.nodes}
        for name, label in (given or {}).items():
            if name in self.raw[gid]:  # a number among a program's inputs stands there itself
                self.raw[gid][name]["given"] = label

    def _facts(self, node: fx.Node) -> Facts:
        meta = node.meta
        stack = meta.get("nn_module_stack") or meta.get("fwd_nn_module_stack") or {}
        sources = meta.get("source_fn_stack") or meta.get("fwd_source_fn_stack") or [("", "")]
        return {
            "op": node.op,
            "target": target(node),
            "made": [
                [self.gids[source.graph_id], source.name]
                for source in flattened(meta.get("from_node"))
                if source.graph_id in self.gids
            ],
            "seq": meta.get("seq_nr"),
            "stack": [str(path) for path, _ in stack.values()],
            "fn": str(sources[-1][0]),
            "original": str(meta.get("original_aten") or ""),
            "back": meta.get("partitioner_tag") == "is_backward"
            or bool(meta.get("autograd_backward") and not meta.get("partitioner_tag")),
            "given": "",
        }


def bodies(module: fx.GraphModule, gid: str) -> Iterator[tuple[str, fx.Graph]]:
    yield gid, module.graph
    for node in module.graph.nodes:
        held = attribute(module, node.target) if node.op == "get_attr" else None
        if isinstance(held, fx.GraphModule):
            yield from bodies(held, f"{gid}/{node.target}")


def flattened(sources: Any) -> Iterator[Any]:
    for source in sources or ():
        yield source
        yield from flattened(source.from_node)


def named(subject: Subject) -> dict[int, str]:
    """Parameters, buffers and inputs by id."""
    leaves = tree_leaves((subject.args, subject.kwargs))
    inputs = {id(leaf): f"input {k}" for k, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)}
    return {**inputs, **subject.place.tensors}


def placed(graph: fx.Graph, inputs: Sequence[Any], names: dict[int, str]) -> dict[str, str]:
    """Placeholder -> what is given to it: a value with a name, or one of this very call. Which of the inputs it is torch
    says in `desc`; before AOTAutograd it is the next one."""
    holders = [node for node in graph.nodes if node.op == "placeholder"]
    found = {}
    for k, node in enumerate(holders):
        said = re.fullmatch(r"PlainAOTInput\(idx=(\d+)\)", str(node.meta.get("desc", f"PlainAOTInput(idx={k})")))
        if said and int(said[1]) < len(inputs):
            value = inputs[int(said[1])]
            found[node.name] = names.get(id(value), f"value {said[1]} of {id(inputs)}")
    return found


def export(subject: Subject) -> Raw:
    book = Book()
    program = _export(subject)
    book.see(program.graph_module, "export.0", labels(program))
    core = program.run_decompositions()
    book.see(core.graph_module, "core_aten.0", labels(core))
    return book.raw


def labels(program: torch.export.ExportedProgram) -> dict[str, str]:
    inputs = {str(name): f"input {k}" for k, name in enumerate(program.graph_signature.user_inputs)}
    return {**inputs, **signature_owners(program)}


def aot(subject: Subject) -> Raw:
    book, names = Book(), named(subject)
    count = 0

    def backend(module: fx.GraphModule, inputs: list[Any]) -> Any:
        nonlocal count
        fragment, count = count, count + 1
        book.see(module, f"dynamo.{fragment}", placed(module.graph, inputs, names))

        def partition(joint: fx.GraphModule, joint_inputs: Any, **more: Any) -> tuple[fx.GraphModule, fx.GraphModule]:
            chosen = PARTITIONERS[subject.options["partitioner"]]
            if not joint_inputs:  # a nested_compile_region, cut by itself
                return chosen(joint, joint_inputs, **more)
            book.see(joint, f"joint.{fragment}", placed(joint.graph, inputs, names))
            other = next(name for name in PARTITIONERS if name != subject.options["partitioner"])
            spare = None
            with contextlib.suppress(Exception):  # constants do not let themselves be copied under fake tensors
                spare = copy.deepcopy(joint)
            halves = chosen(joint, joint_inputs, **more)
            keep(halves, "")
            if spare is not None:
                keep(PARTITIONERS[other](spare, joint_inputs, **more), f".{other}")
            return halves

        def keep(halves: tuple[fx.GraphModule, fx.GraphModule], variant: str) -> None:
            for stage, half in zip(("forward", "backward"), halves, strict=True):
                book.see(
                    half, f"{stage}.{fragment}{variant}", placed(half.graph, inputs, names) if stage == "forward" else {}
                )

        def inference(module: fx.GraphModule, _: Any) -> Any:
            book.see(module, f"forward.{fragment}", placed(module.graph, inputs, names))
            return run(module)

        return aot_autograd(
            fw_compiler=lambda module, _: run(module),
            bw_compiler=lambda module, _: run(module),
            inference_compiler=inference,
            partition_fn=partition,
        )(module, inputs)

    with contextlib.suppress(Exception):  # what was captured before it failed is compared all the same
        torch.compile(subject.model, backend=backend)(*subject.args, **subject.kwargs)
    return book.raw


def run(module: fx.GraphModule) -> Any:
    return make_boxed_func(module.forward)


def evidence(path: str, options: dict[str, Any]) -> Raw:
    """Everything recorded for a submission, each route in a fork of its own."""
    with contextlib.redirect_stdout(io.StringIO()):
        subject = load(path, options)
    return {**(_forked(lambda: export(subject)) or {}), **(_forked(lambda: aot(subject)) or {})}
