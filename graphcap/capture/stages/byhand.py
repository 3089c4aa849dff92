"""A script's own call of aot_function or aot_module: joint, forward and backward graph, without Dynamo before them.

Partitioner and decompositions are those of the call, not of the options: it is what the script asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import torch
import torch.fx
from torch._functorch import aot_autograd
from torch.utils import _pytree as pytree

from graphcap.capture.compile import blame
from graphcap.capture.compile.autograd import Fragment, recording_of, run_as_is
from graphcap.capture.failures import exception_text
from graphcap.capture.fx.operators import OperatorTable
from graphcap.capture.partition.classes import classes
from graphcap.capture.record import Recorder
from graphcap.capture.stages.route import Emit, Later
from graphcap.capture.target.loaded import ByHand, Loaded
from graphcap.capture.target.tensors import tensor_names
from graphcap.graph.document import ROUTES, Failure, Placeholder, Stage
from graphcap.graph.stream import Added

NO_BACKWARD = "nothing it returns requires grad, so there is no backward"


def run_by_hand(target: Loaded, asked: ByHand, recorder: Recorder, emit: Emit) -> Sequence[Later]:
    """Emits `joint`, `forward` and `backward`; later the halves of the other partitioner."""
    recorder.operators = OperatorTable(classes)
    inputs = _inputs(target)
    fragment = Fragment(0, inputs, torch.fx.GraphModule({}, torch.fx.Graph()))
    recording = recording_of(fragment, target, recorder, asked.partitioner)
    failures: tuple[Failure, ...] = ()
    try:
        compile_ = getattr(aot_autograd, asked.api)
        compiled = compile_(
            target.model,
            fw_compiler=recording.forward,
            bw_compiler=run_as_is,
            inference_compiler=recording.inference,
            partition_fn=recording.partition,
            decompositions=asked.decompositions,
            dynamic=asked.dynamic,
        )
        with blame.anomalies() as fragment.anomaly:
            compiled(*target.args, **target.kwargs)
    except Exception as error:  # whatever tracing the person's code raises
        failures = (blame.failure_in(error, recorder.user_files, how=asked.api),)
    words = f"made by {asked.api} as the script calls it: no Dynamo before it, cut by the {asked.partitioner} partitioner"
    for stage in ROUTES["aot"]:
        graphs = tuple(fragment.graphs.get(stage, ()))
        if graphs:
            emit.ended(Stage(stage, "done", graphs=_titled(target, graphs), notes=(words,)))
        elif failures:
            emit.ended(Stage(stage, "failed", failures=failures))
        else:
            emit.ended(Stage(stage, "skipped", reason=NO_BACKWARD))

    def otherwise() -> None:
        if fragment.joint is None:
            return
        try:
            recording.cut_otherwise()
        except Exception as error:  # it was not asked for: that it fails is worth a word, no more
            words = f"the other partitioner fails on the joint graph: {type(error).__name__}: {exception_text(error)}"
            emit.added(Added(target.id, "forward", notes=(words,)))
            return
        for stage, graphs in fragment.variants.items():
            emit.added(Added(target.id, stage, graphs=_titled(target, graphs)))

    return (Later("forward", "cutting the joint graph otherwise", otherwise),)


def _titled(target: Loaded, graphs: Sequence[Any]) -> tuple[Any, ...]:
    first = graphs[0]
    title = target.title + (f" ({first.variant})" if first.variant else " (inference)" if first.inference else "")
    return (msgspec.structs.replace(first, title=title), *graphs[1:])


def _inputs(target: Loaded) -> tuple[Placeholder, ...]:
    """What each flat input stands for: of aot_module first the parameters and buffers."""
    names = tensor_names(target.model, target.args, target.kwargs)
    leaves: list[Any] = []
    model = target.model
    if isinstance(model, torch.nn.Module):
        leaves += [tensor for _, tensor in model.named_parameters(remove_duplicate=False)]
        leaves += [tensor for _, tensor in model.named_buffers(remove_duplicate=False)]
    leaves += pytree.arg_tree_leaves(*target.args, **target.kwargs)
    unknown = [(Placeholder("input", f"args_{i}"),) for i in range(len(leaves))]
    return tuple(names.get(id(leaf), unknown[i])[0] for i, leaf in enumerate(leaves))
