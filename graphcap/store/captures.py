"""The door of the store: every transaction on captures. Web reads, creates, cancels and deletes; the runner claims and fills in.

Unknown ids give None or False, never an exception: a capture may be deleted at any moment, also while it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graphcap.graph.document import Failure, Graph, Stage, StageId, Target
from graphcap.intake.submission import Submission, SubmittedFile
from graphcap.store.records import (
    CaptureStatus,
    CaptureSummary,
    CaptureTitle,
    Claimed,
    Created,
    Log,
    QueueCounts,
    Rendered,
)


class Store:
    """Captures in the database at `url` (SQLAlchemy's). Safe to share between threads; call `migrate` once before use."""

    def __init__(self, url: str) -> None:
        raise NotImplementedError

    def migrate(self) -> None:
        """Brings the database to this version's tables. Safe to call from several processes at once."""
        raise NotImplementedError

    def close(self) -> None:
        """Closes every connection."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------------------------ for people

    def create(self, submission: Submission, queue_limit: int | None = None) -> Created:
        """Queues a submission. With `queue_limit` captures waiting already it raises UserError("too-busy")."""
        raise NotImplementedError

    def summary(self, id: str) -> CaptureSummary | None:
        """All of a capture but its files, log and graph bodies."""
        raise NotImplementedError

    def summaries(self, ids: Iterable[str]) -> tuple[CaptureTitle, ...]:
        """The captures there are among `ids`, in the order asked for."""
        raise NotImplementedError

    def revision(self, id: str) -> int | None:
        """A number that grows with every change of the capture, its stages and its log. Cheap: made for polling."""
        raise NotImplementedError

    def files(self, id: str) -> tuple[SubmittedFile, ...] | None:
        """The submitted files with their bytes."""
        raise NotImplementedError

    def log(self, id: str, start: int = 0) -> Log | None:
        """What was printed, from character `start` on."""
        raise NotImplementedError

    def graph(self, id: str, gid: str) -> Graph | None:
        """One graph whole."""
        raise NotImplementedError

    def stages(self, id: str) -> tuple[tuple[str, Stage], ...] | None:
        """(target id, stage) for every stage, with breaks and guards, without graphs."""
        raise NotImplementedError

    def cached(self, id: str, key: str, version: str, make: Callable[[], bytes]) -> Rendered:
        """The answer kept under `key`, made by `make` (uncompressed) when absent or of another serializer `version`."""
        raise NotImplementedError

    def request_cancel(self, id: str) -> bool:
        """A queued capture is cancelled at once, a running one soon. False: unknown, or ended already."""
        raise NotImplementedError

    def token_matches(self, id: str, token: str) -> bool:
        """True if `token` is the delete token of the capture."""
        raise NotImplementedError

    def delete(self, id: str) -> bool:
        """Removes everything of the capture; if it runs, the runner stops it. False: unknown."""
        raise NotImplementedError

    def queue_counts(self) -> QueueCounts:
        """How many captures wait and run."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------- for the runner

    def claim(self) -> Claimed | None:
        """Takes the oldest queued capture and marks it running; None when nothing waits."""
        raise NotImplementedError

    def wants_stop(self, id: str) -> bool:
        """True if a running capture was cancelled or deleted."""
        raise NotImplementedError

    def torch_known(self, id: str, torch: str) -> bool:
        """Records the torch that runs. This and every method below: False if the capture is gone."""
        raise NotImplementedError

    def targets_found(self, id: str, targets: Iterable[Target], stages: Iterable[StageId]) -> bool:
        """Records targets, each with `stages` queued."""
        raise NotImplementedError

    def stage_started(self, id: str, target: str, stage: StageId) -> bool:
        """Marks a stage running."""
        raise NotImplementedError

    def stage_ended(self, id: str, target: str, stage: Stage) -> bool:
        """Records a stage with its graphs."""
        raise NotImplementedError

    def append_log(self, id: str, text: str) -> bool:
        """Adds to what was printed."""
        raise NotImplementedError

    def finish(self, id: str, status: CaptureStatus, failures: Iterable[Failure] = (), log_cut: int = 0) -> bool:
        """Ends a capture."""
        raise NotImplementedError

    def recover(self, attempts: int = 2) -> None:
        """Puts captures left running back in the queue, or fails them once they were tried `attempts` times."""
        raise NotImplementedError
