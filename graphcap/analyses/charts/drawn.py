"""What all charts share: what they are made of, how a figure leaves this room, how words enter it."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go  # type: ignore[import-untyped]

from graphcap.analyses.mirror.partition import Partition
from graphcap.graph.document import Graph, StageId

Figure = dict[str, Any]
"""`{"data": [trace...], "layout": {...}}`, as plotly.js takes it."""


class Captured(NamedTuple):
    """A target: the graphs of each stage, without variants and recompiles, and how each joint graph was cut.

    `cuts`: by partitioner, that which was chosen first, one for every fragment that has a backward.
    """

    stages: Mapping[StageId, Sequence[Graph]]
    cuts: Mapping[str, Sequence[Partition]]


class NothingToDrawError(ValueError):
    """A chart would be empty; the message says why."""


def finished(traces: Sequence[Any], **layout: Any) -> Figure:
    """The figure as plain values, without plotly's own template of colours and fonts: the page has a theme."""
    made: Figure = json.loads(go.Figure(list(traces), layout).to_json())
    made["layout"].pop("template", None)
    return made


def plain(text: str) -> str:
    """Words of other people: plotly would read tags in them."""
    return html.escape(text, quote=False)


def size_text(value: int) -> str:
    """`1.5 MiB`."""
    size, unit = float(value), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{size:.0f} {unit}" if size >= 10 or unit == "B" else f"{size:.1f} {unit}"
