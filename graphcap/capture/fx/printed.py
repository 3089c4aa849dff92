"""A graph's text exactly as torch prints it, and which node each line prints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import torch.fx
from torch.fx.graph_module import _print_readable

Printed = tuple[str, tuple[int, ...]]
"""The text, and for each of its lines a node's index or -1."""

_NOTHING: Printed = ("", ())
_CLASS = re.compile(r"^\s*class \S+\(torch\.nn\.Module\):")
_INPLACE = re.compile(r"^\S+ (?:[-+*/@%&|^]|//|\*\*|<<|>>)=.*;  (\w+)(?:\s?:.*?)? = ")
_ASSIGNED = re.compile(r"^(\w+)\s*(?:=|:)")


def printed(graph: torch.fx.Graph, nodes: Sequence[torch.fx.Node]) -> Printed:
    """`print(graph)`."""
    try:
        text = clean(str(graph))
    except Exception:  # a constant whose own __repr__ raises
        return _NOTHING
    marks = [-1]
    for i, node in enumerate(nodes):
        marks.extend([i] * (1 + clean(node.format_node() or "").count("\n")))
    return text, tuple(marks) if len(marks) == text.count("\n") + 1 else _no_marks(text)


def readable(module: object, graph: torch.fx.Graph, index: Mapping[str, int]) -> Printed:
    """`print_readable()`; lines of body graphs, which print inside their parent's text, belong to no node of this one."""
    if not isinstance(module, torch.fx.GraphModule) or module.graph is not graph:
        module = torch.nn.Module()
        module.graph = graph  # type: ignore[assignment]
    try:
        name = type(module).__name__ if isinstance(module, torch.fx.GraphModule) else "GraphModule"
        text = clean(_print_readable(module, name, print_output=False))
    except Exception:  # print_readable runs the reprs of constants and the code generator
        return _NOTHING
    marks, inside = [], 0
    for line in text.split("\n"):
        inside += _CLASS.match(line) is not None
        marks.append(_line_node(line.strip(), index) if inside == 1 else -1)
    return text, tuple(marks)


def _line_node(line: str, index: Mapping[str, int]) -> int:
    if line.startswith("return ") or line == "return":
        return len(index) - 1  # the output node is the last
    match = _INPLACE.match(line) or _ASSIGNED.match(line)
    return index.get(match[1], -1) if match else -1


def _no_marks(text: str) -> tuple[int, ...]:
    return (-1,) * (text.count("\n") + 1)


def clean(text: str) -> str:
    """JSON carries no lone surrogates; nothing else is changed."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
