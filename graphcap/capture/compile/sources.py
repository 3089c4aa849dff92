"""What each placeholder of a Dynamo fragment stands for, from the source Dynamo says it reads the value from."""

from __future__ import annotations

import re
from typing import Any

import torch
import torch.fx
from torch._dynamo.source import GlobalSource, LocalSource
from torch._guards import ChainedSource

from graphcap.capture.fx.modules import MEMBER, clean_path
from graphcap.capture.fx.statistics import Measured
from graphcap.capture.fx.values import safe_text
from graphcap.capture.target.tensors import Names
from graphcap.graph.document import Placeholder, PlaceholderKind

_ROOT = re.compile(r"^[LG]\[['\"]([^'\"]*)['\"]\]")


def fragment_inputs(module: torch.fx.GraphModule, names: Names, measured: Measured | None = None) -> dict[str, Placeholder]:
    """What every placeholder of a fragment stands for, in order. Ask while the backend runs: later the values are gone.

    Parameters that no name was known of, those that a function closes over, are added to `measured`.
    """
    found = {node: _placeholder(node, names) for node in module.graph.find_nodes(op="placeholder")}
    if measured is not None:
        for node, placeholder in found.items():
            measured.see(placeholder, _value(node))
    return {node.name: placeholder for node, placeholder in found.items()}


def _placeholder(node: torch.fx.Node, names: Names) -> Placeholder:
    source = getattr(node.meta.get("grapharg"), "source", None)
    text = _source_text(source)
    known = names.get(id(_value(node)), ())
    if known:
        best = next((p for p in known if p.name == clean_path(text)), known[0])
        return Placeholder(best.kind, best.name, text, best.persistent)
    name = clean_path(text) if _on_module(source) else source_name(text)
    return Placeholder(_kind(node, source, text), name or safe_text(node.target), text)


def _value(node: torch.fx.Node) -> Any:
    """The real tensor that was passed; None when there is none, or it is gone."""
    try:
        return node.meta["grapharg"].example
    except Exception:  # KeyError; an AssertionError of torch for a dead weak reference
        return None


def _source_text(source: Any) -> str:
    try:
        return safe_text(source.name) if source is not None else ""
    except Exception:  # temporary locals have no name and raise
        return ""


def _kind(node: torch.fx.Node, source: Any, text: str) -> PlaceholderKind:
    example = node.meta.get("example_value")
    if isinstance(example, torch.SymInt | torch.SymFloat | torch.SymBool | int | float):
        return "symint"
    if node.type is torch.nn.Parameter or isinstance(_value(node), torch.nn.Parameter):
        return "parameter"
    if "._buffers[" in text:
        return "buffer"
    root = source
    while isinstance(root, ChainedSource):
        root = root.base
    if isinstance(root, GlobalSource) or _on_module(source) or ".cell_contents" in text:
        return "constant"
    if isinstance(root, LocalSource):
        return "constant" if root.is_derefed_cell_contents else "input"
    return "other"


def _on_module(source: Any) -> bool:
    """The value hangs on an nn.Module that is a local: `L['self'].config.scale`."""
    try:
        where = source.guard_source
        return bool(where.is_unspecialized_nn_module() or where.is_specialized_nn_module()) and where.name.startswith(
            "LOCAL"
        )
    except Exception:  # no source; some sources have no guard_source
        return False


def source_name(text: str) -> str:
    """`lin.weight` for `G['lin']._parameters['weight']`, `x` for `L['x']`, `x.size()[0]` for `L['x'].size()[0]`."""
    return MEMBER.sub(r".\1", _ROOT.sub(r"\1", text))
