"""One thing captured: its stages and, of a logged run, its compilations."""

from __future__ import annotations

from graphcap.graph.document.graphs import Frame
from graphcap.graph.document.options import StageId
from graphcap.graph.document.stages import Stage
from graphcap.graph.document.value import Value


class Compilation(Value, frozen=True, omit_defaults=True):
    """One frame as torch.compile compiled it in a logged run: by torch's own compile id, with the times it took."""

    id: str  # `2/1`: of the third frame, for the second time; torch counts from 0 again after a reset
    function: str = ""
    frame: Frame | None = None  # where the function begins
    fragment: int | None = None  # None: no graph came of it
    recompile: int = 0
    seconds: float | None = None  # of the whole; None: the log does not say
    phases: tuple[tuple[str, float], ...] = ()  # seconds of its parts, some inside others, in torch's names
    nodes: int | None = None  # of Dynamo's graph, as torch counted them
    guards: int | None = None
    cache: str = ""  # what Inductor's cache had: `hit`, `miss`, `bypass`
    failure: str = ""  # why it was given up


class Target(Value, frozen=True, omit_defaults=True):
    """One thing captured. `rule` is how it was found, in words for the page."""

    id: str  # t1, t2, ...
    title: str
    rule: str
    stages: tuple[Stage, ...] = ()
    frame: Frame | None = None  # the script's call
    compilations: tuple[Compilation, ...] = ()  # of a logged run, in order
    fits: tuple[StageId, ...] = ()  # the stages that the script's call has, make_fx for one; (): any

    def stages_among(self, asked: tuple[StageId, ...]) -> tuple[StageId, ...]:
        """Those it is to have when `asked` are asked for: at least one."""
        return tuple(stage for stage in self.fits if stage in asked or stage == "traced") or self.fits or asked
