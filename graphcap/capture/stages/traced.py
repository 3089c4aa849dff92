"""Route `traced`: the graph of a script's own call of make_fx or symbolic_trace, made once more as the script makes it."""

from __future__ import annotations

from collections.abc import Sequence

import torch.fx

from graphcap.capture.failures import failure_of
from graphcap.capture.record import Recorder
from graphcap.capture.stages.route import Emit, Later
from graphcap.capture.target.inputs import arguments, named_leaves
from graphcap.capture.target.loaded import Loaded
from graphcap.capture.target.tensors import tensor_names
from graphcap.graph.document import Options, Placeholder, Stage

WHAT = {
    "make_fx": "make_fx runs the function and writes down the ATen calls it makes; each input is a placeholder in order",
    "symbolic_trace": "symbolic_trace runs the code with proxies in place of tensors: it knows no shapes or dtypes",
}
"""What kind of graph each makes, for the page."""


def run_traced(target: Loaded, options: Options, recorder: Recorder, emit: Emit) -> Sequence[Later]:
    """Emits `traced`. A trace that fails says what the script's own call says."""
    emit.started("traced")
    assert target.traced is not None, target.id
    try:
        module = target.traced.again(recorder.user_files)
    except BaseException as error:  # whatever tracing the person's code raises
        emit.ended(Stage("traced", "failed", failures=(failure_of(error, recorder.user_files, target.traced.api),)))
        return ()
    graphs = recorder.record(
        module,
        gid=target.gid("traced"),
        title=f"{target.title} ({target.traced.api})",
        placeholders=_inputs(module, target),
    )
    emit.ended(Stage("traced", "done", graphs=tuple(graphs), notes=(WHAT[target.traced.api],)))
    return ()


def _inputs(module: torch.fx.GraphModule, target: Loaded) -> dict[str, Placeholder]:
    """Of make_fx, the leaves of the inputs in order; symbolic_trace names its placeholders as the function does.

    Parameters are attributes of the traced module under names that torch makes up (`_param_constant0`).
    """
    named = tensor_names(target.model, target.args, target.kwargs)
    found: dict[str, Placeholder] = {}
    for node in module.graph.find_nodes(op="get_attr"):
        known = named.get(id(_held(module, str(node.target))), ())
        if known:
            found[node.name] = known[0]
    placeholders = module.graph.find_nodes(op="placeholder")
    if target.traced is None or target.traced.api != "make_fx":
        return found
    leaves = [path for name, value in arguments(target) for path, _ in named_leaves(name, value)]
    if len(leaves) == len(placeholders):
        found |= {node.name: Placeholder("input", path) for node, path in zip(placeholders, leaves, strict=True)}
    return found


def _held(module: torch.nn.Module, path: str) -> object:
    held: object = module
    for part in path.split("."):
        held = getattr(held, part, None)
    return held
