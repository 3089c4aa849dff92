"""A capture in a person's hands: its graphs as networkx, how it shows itself in a notebook, saves and pushes."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from graphcap.analyses.nodelink import multigraph
from graphcap.client.pushing import Pushed, push
from graphcap.client.viewer import exported
from graphcap.errors import UserError
from graphcap.graph import document
from graphcap.graph.codec import DocumentError
from graphcap.graph.package import CaptureFile, pack, unpack

if TYPE_CHECKING:
    import networkx  # type: ignore[import-untyped]

MOST_BYTES = 16 << 30
HEIGHT = 640  # pixels, in a notebook


class Stage:
    """One stage: `status`, `error`, its graphs. `str(stage)` is one line."""

    def __init__(self, stage: document.Stage) -> None:
        self.record = stage
        self.status = stage.status
        self.reason = stage.reason
        self.seconds = stage.seconds
        self.failures = stage.failures
        self.breaks = stage.breaks
        self.guards = stage.guards

    @property
    def error(self) -> document.Failure | None:
        """The first of its failures."""
        return self.failures[0] if self.failures else None

    @cached_property
    def graphs(self) -> Mapping[str, networkx.MultiDiGraph]:
        """Every graph by its id, as networkx: node names are FX names."""
        return {graph.id: multigraph(graph) for graph in self.record.graphs}

    @property
    def graph(self) -> networkx.MultiDiGraph:
        """The first graph. Raises LookupError where there is none, with the reason."""
        if not self.record.graphs:
            why = self.reason or (self.error.message if self.error else "it has none")
            raise LookupError(f"stage {self.record.id} {self.status}, so there is no graph: {why}")
        return self.graphs[self.record.graphs[0].id]

    @property
    def text(self) -> str:
        """What `print(graph)` prints of the first graph; empty where there is none."""
        return self.record.graphs[0].text if self.record.graphs else ""

    def __repr__(self) -> str:
        """One line."""
        graphs, nodes = len(self.record.graphs), sum(len(graph.nodes) for graph in self.record.graphs)
        words = [f"{graphs} graph{'s' if graphs > 1 else ''}", f"{nodes} nodes"] if nodes else [self.reason]
        if self.error is not None:
            words = [f"{self.error.type}: {self.error.message.splitlines()[0] if self.error.message else ''}", *words]
        return f"{self.record.id}: {self.status}, " + ", ".join(word for word in words if word)


class Target:
    """One thing captured, with its stages in order."""

    def __init__(self, target: document.Target) -> None:
        self.id = target.id
        self.title = target.title
        self.rule = target.rule
        self.stages: Mapping[str, Stage] = {stage.id: Stage(stage) for stage in target.stages}

    def __repr__(self) -> str:
        """A line for each stage."""
        return "\n".join([f"{self.id} {self.title} ({self.rule})", *(f"  {stage!r}" for stage in self.stages.values())])


class Capture:
    """A finished capture. In a notebook it shows itself: the whole viewer, offline."""

    def __init__(self, file: CaptureFile) -> None:
        self.file = file
        self.torch = file.document.torch
        self.failures = file.document.failures
        self.targets: tuple[Target, ...] = tuple(Target(target) for target in file.document.targets)

    @property
    def stages(self) -> Mapping[str, Stage]:
        """Those of the first target by name: `capture.stages["forward"].graph`. Empty where nothing was captured."""
        return self.targets[0].stages if self.targets else {}

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes a `.graphcap` file, for `load`, `graphcap open` and `graphcap push`; its path."""
        Path(path).write_bytes(pack(self.file))
        return Path(path)

    def push(self, server: str) -> Pushed:
        """Uploads it to a graphcap server, which runs nothing; where it is there. Raises UserError."""
        return push(self.file, server)

    def html(self) -> str:
        """The viewer with the capture inside, one file that needs no network."""
        return exported(self.file, "html").decode()

    def export(self, format: str, graph: str = "") -> bytes:
        """`html`, or the graph with this id as `txt`, `json`, `dot`, `graphml`, `pt2`. Raises UserError."""
        return exported(self.file, format, graph)

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="graphcap" srcdoc="{html.escape(self.html(), quote=True)}" width="100%" height="{HEIGHT}"'
            ' style="border: 1px solid #c3cbd6; border-radius: 4px"></iframe>'
        )

    def __repr__(self) -> str:
        """What was captured."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"capture by torch {self.torch}"
        yield from (f"{failure.type}: {failure.message}" for failure in self.failures)
        yield from (repr(target) for target in self.targets)


def load(path: str | os.PathLike[str]) -> Capture:
    """A capture from a `.graphcap` file. Raises UserError where it is none."""
    try:
        return Capture(unpack(Path(path).read_bytes(), MOST_BYTES))
    except OSError as error:
        hint = "Name a file that `graphcap capture` has written."
        raise UserError("bad-request", f"{path} can not be read", f"{error.strerror}.", hint) from None
    except DocumentError as error:
        hint = "Make one with: graphcap capture model.py -o model.graphcap"
        raise UserError("bad-document", f"{path} can not be opened", f"{error}.", hint) from None
