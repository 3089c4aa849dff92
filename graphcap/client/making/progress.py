"""How far a capture is, on the terminal: a bar, and a line for every stage that has ended. On standard error."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.text import Text

from graphcap.graph.document import Stage, StageId
from graphcap.graph.stream import Ended, Found, Message, Started

STYLES = {"done": "green", "failed": "red", "skipped": "yellow"}


class Progress:
    """Shown while it is entered. `shown` None: where standard error is a terminal."""

    def __init__(self, shown: bool | None, stages: tuple[StageId, ...]) -> None:
        self.console = Console(stderr=True, highlight=False)
        self._shown = self.console.is_terminal if shown is None else shown
        self._stages = stages
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Bar(*columns, console=self.console, transient=True, disable=not self._shown)
        self._task = self._bar.add_task("loading", total=None)

    def __enter__(self) -> Progress:
        """Shows it."""
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Takes it away; the lines stay."""
        self._bar.stop()

    def heard(self, message: Message) -> None:
        """What the capture says next."""
        match message:
            case Found(targets):
                total = sum(len(target.stages_among(self._stages)) for target in targets)
                self._bar.update(self._task, total=total, completed=0)
            case Started(target, stage):
                self._bar.update(self._task, description=f"{target} {stage}")
            case Ended(target, stage):
                self._bar.advance(self._task)
                if self._shown:
                    self.console.print(stage_line(target, stage))
            case _:
                pass

    def printed(self, text: str) -> None:
        """What the captured code prints, above the bar."""
        self.console.print(Text(text.rstrip("\n")), soft_wrap=True)


def stage_line(target: str, stage: Stage) -> Text:
    """`t1 forward  done  1 graph, 24 nodes  0.31 s`; of one that failed, with torch's first line."""
    line = Text(f"{target} {stage.id:<10}")
    line.append(f" {stage.status:<8}", STYLES.get(stage.status, ""))
    nodes = sum(len(graph.nodes) for graph in stage.graphs)
    if stage.graphs:
        line.append(f" {len(stage.graphs)} graph{'s' if len(stage.graphs) > 1 else ''}, {nodes} nodes")
    if stage.seconds is not None:
        line.append(f"  {stage.seconds:.2f} s", "dim")
    said = [f"{each.type}: {each.message.strip().splitlines()[0]}" for each in stage.failures[:1] if each.message.strip()]
    for words in (*said, stage.reason):
        if words:
            line.append(f"  {words[:160]}")
    return line
