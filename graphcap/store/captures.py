"""The door of the store: every transaction on captures. Web reads, creates, cancels, deletes; the runner claims and fills.

Unknown ids give None or False, never an exception: a capture may be deleted at any moment, also while it runs.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from graphcap.errors import UserError
from graphcap.graph.document import Failure, Graph, Stage, StageId, Target
from graphcap.graph.stream import Added
from graphcap.intake.submission import Submission, SubmittedFile
from graphcap.store import packing, reading, reuse, uploads, writing
from graphcap.store.counting import arrivals, tallies
from graphcap.store.database import migrate, open_engine
from graphcap.store.database import writing as writing_engine
from graphcap.store.records import (
    CaptureStatus,
    CaptureSummary,
    CaptureTitle,
    Claimed,
    Created,
    Log,
    QueueCounts,
    Rendered,
    Sender,
)

ID_BYTES = 16  # 128 random bits: an address can not be guessed
TOKEN_BYTES = 32
UNKNOWN = Sender("")
"""No sender, no limits."""


class Store:
    """Captures in the database at `url` (SQLAlchemy's). Safe to share between threads; call `migrate` once before use."""

    def __init__(self, url: str) -> None:
        self._engine = open_engine(url)
        self._writer = writing_engine(self._engine)

    def migrate(self) -> None:
        """Brings the database to this version's tables. Safe to call from several processes at once."""
        migrate(self._engine)

    def close(self) -> None:
        """Closes every connection."""
        self._engine.dispose()

    # ------------------------------------------------------------------------------------------------------ for people

    def create(
        self,
        submission: Submission,
        queue_limit: int | None = None,
        *,
        sender: Sender = UNKNOWN,
        reuse_key: str = "",
    ) -> Created:
        """Queues a submission, or gives it at once what a finished run with the same `reuse_key` gave ("": run it).

        Raises UserError: "too-busy" with `queue_limit` captures waiting, "rate-limited", "too-many-captures".
        """
        id, token, now = secrets.token_urlsafe(ID_BYTES), secrets.token_urlsafe(TOKEN_BYTES), time.time()
        with self._writer.begin() as connection:
            arrivals.check_rate(connection, sender, now)
            source = reuse.find(connection, reuse_key) if reuse_key else None
            if source is None:
                arrivals.check_at_once(connection, sender)
                _check_queue(connection, queue_limit)
            number = writing.create(connection, id, _hash(token), submission)
            if source is None:
                writing.add_files(connection, number, submission)
            else:
                reuse.share(connection, source, number, reuse_key)
                tallies.capture_ended(connection, "done", "reused")
            arrivals.record(connection, sender, number, now)
        return Created(id, token, "queued" if source is None else "done")

    def keep_uploaded(self, uploaded: uploads.Uploaded, *, sender: Sender = UNKNOWN) -> Created:
        """Keeps a capture that was made elsewhere and is checked. Raises UserError("rate-limited")."""
        id, token, now = secrets.token_urlsafe(ID_BYTES), secrets.token_urlsafe(TOKEN_BYTES), time.time()
        rows = uploads.packed(uploaded)
        with self._writer.begin() as connection:
            arrivals.check_rate(connection, sender, now)
            number = uploads.keep(connection, id, _hash(token), uploaded, rows)
            arrivals.record(connection, sender, number, now)
        return Created(id, token, "failed" if uploaded.failures else "done")

    def check_rate(self, sender: Sender) -> None:
        """Raises UserError("rate-limited") as `create` would: to be asked before an upload is read."""
        with self._engine.begin() as connection:
            arrivals.check_rate(connection, sender, time.time())

    def summary(self, id: str) -> CaptureSummary | None:
        """All of a capture but its files, log and graph bodies."""
        with self._engine.begin() as connection:
            return reading.summary(connection, id)

    def summaries(self, ids: Iterable[str]) -> tuple[CaptureTitle, ...]:
        """The captures there are among `ids`, in the order asked for."""
        with self._engine.begin() as connection:
            return reading.titles(connection, ids)

    def revision(self, id: str) -> int | None:
        """A number that grows with every change of the capture, its stages and its log. Cheap: made for polling."""
        with self._engine.begin() as connection:
            return reading.revision(connection, id)

    def files(self, id: str) -> tuple[SubmittedFile, ...] | None:
        """The submitted files with their bytes."""
        with self._engine.begin() as connection:
            number = reading.content_number(connection, id)
            return None if number is None else reading.submitted_files(connection, number)

    def log(self, id: str, start: int = 0) -> Log | None:
        """What was printed, from character `start` on."""
        with self._engine.begin() as connection:
            return reading.log(connection, id, start)

    def graph(self, id: str, gid: str) -> Graph | None:
        """One graph whole."""
        found = self.sized_graph(id, gid)
        return None if found is None else found[0]

    def sized_graph(self, id: str, gid: str) -> tuple[Graph, int] | None:
        """One graph whole, and the length of its JSON in bytes."""
        with self._engine.begin() as connection:
            columns = reading.graph_columns(connection, id, gid)
        return None if columns is None else packing.graph_of(*columns)

    def program(self, id: str, gid: str) -> bytes | None:
        """The exported program that a graph is of, as a `.pt2` file without the values of its weights."""
        with self._engine.begin() as connection:
            return reading.program(connection, id, gid)

    def stages(self, id: str) -> tuple[tuple[str, Stage], ...] | None:
        """(target id, stage) for every stage, with breaks and guards, without graphs."""
        with self._engine.begin() as connection:
            number = reading.content_number(connection, id)
            return None if number is None else reading.stage_details(connection, number)

    def cached(self, id: str, key: str, version: str, make: Callable[[], bytes]) -> Rendered:
        """The answer kept under `key`, made by `make` (uncompressed) when absent or of another serializer `version`."""
        with self._engine.begin() as connection:
            kept = reading.rendered_answer(connection, id, key, version)
            run = reading.run(connection, id)
        if kept is not None:
            return kept
        answer = packing.render(make(), version)
        with suppress(IntegrityError), self._writer.begin() as connection:  # PostgreSQL: another process was first
            if run is not None and run == reading.run(connection, id):  # else it may be of a run that was taken back
                writing.keep_rendered(connection, run.content, key, version, answer)
        return answer

    def request_cancel(self, id: str) -> bool:
        """A queued capture is cancelled at once, a running one soon. False: unknown, or ended already."""
        with self._writer.begin() as connection:
            return writing.request_cancel(connection, id)

    def token_matches(self, id: str, token: str) -> bool:
        """True if `token` is the delete token of the capture."""
        with self._engine.begin() as connection:
            kept = reading.token_hash(connection, id)
        return kept is not None and hmac.compare_digest(kept, _hash(token))

    def delete(self, id: str) -> bool:
        """Removes everything of the capture; if it runs, the runner stops it. False: unknown."""
        with self._writer.begin() as connection:
            return reuse.remove(connection, id)

    def queue_counts(self) -> QueueCounts:
        """How many captures wait and run."""
        with self._engine.begin() as connection:
            return reading.queue_counts(connection)

    def counts(self) -> dict[str, int]:
        """The captures there are, by status."""
        with self._engine.begin() as connection:
            return reading.counts(connection)

    def tallies(self) -> Mapping[tuple[str, str], float]:
        """What was counted since the database was made, by (metric, label): see `counting.tallies`."""
        with self._engine.begin() as connection:
            return tallies.read(connection)

    # -------------------------------------------------------------------------------------------------- for the runner

    def claim(self) -> Claimed | None:
        """Takes the oldest queued capture and marks it running; None when nothing waits."""
        with self._writer.begin() as connection:
            return writing.claim(connection)

    def wants_stop(self, id: str) -> bool:
        """True if a running capture was cancelled or deleted."""
        with self._engine.begin() as connection:
            return reading.stop_wanted(connection, id)

    def torch_known(self, id: str, torch: str) -> bool:
        """Records the torch that runs. This and every method below: False if the capture is gone."""
        with self._writer.begin() as connection:
            return writing.touch(connection, id, "running", torch=packing.plain_text(torch)) is not None

    def targets_found(self, id: str, targets: Iterable[Target], stages: Iterable[StageId]) -> bool:
        """Records targets, each with `stages` queued."""
        with self._writer.begin() as connection:
            number = writing.touch(connection, id, "running")
            if number is not None:
                writing.add_targets(connection, number, targets, stages)
        return number is not None

    def stage_started(self, id: str, target: str, stage: StageId) -> bool:
        """Marks a stage running."""
        return self._set_stage(id, target, Stage(id=stage, status="running"), ended=False)

    def stage_ended(self, id: str, target: str, stage: Stage) -> bool:
        """Records a stage with its graphs."""
        return self._set_stage(id, target, stage, ended=True)

    def stage_added(self, id: str, added: Added) -> bool:
        """Records what was found out about a stage after it ended."""
        rows = [packing.graph_values(graph) for graph in added.graphs]
        with self._writer.begin() as connection:
            number = writing.touch(connection, id, "running")
            if number is not None:
                writing.add_to_stage(connection, number, added)
                writing.add_graphs(connection, number, added.target, added.stage, rows)
                writing.set_replays(connection, number, added.replays)
                writing.set_programs(connection, number, added.programs)
        return number is not None

    def append_log(self, id: str, text: str) -> bool:
        """Adds to what was printed."""
        with self._writer.begin() as connection:
            return writing.append_log(connection, id, packing.plain_text(text))

    def finish(
        self,
        id: str,
        status: CaptureStatus,
        failures: Iterable[Failure] = (),
        log_cut: int = 0,
        *,
        outcome: str = "",
        kill: str = "",
        reuse_key: str = "",
    ) -> bool:
        """Ends a capture. `outcome` and `kill` are counted; with a `reuse_key` the same submission may show it too."""
        ending = {"status": status, "finished": time.time(), "failures": packing.pack(tuple(failures)), "log_cut": log_cut}
        with self._writer.begin() as connection:
            if writing.touch(connection, id, "running", reuse_key=reuse_key, **ending) is None:
                return False
            tallies.capture_ended(connection, status, outcome or status)
            if kill:
                tallies.add(connection, "kills", kill)
        return True

    def recover(self, attempts: int = 2) -> None:
        """Puts captures left running back in the queue, or fails them once they were tried `attempts` times."""
        with self._writer.begin() as connection:
            writing.recover(connection, attempts)

    def requeue(self, claimed: Claimed) -> bool:
        """Puts a running capture back in the queue because the server stops; this attempt does not count."""
        with self._writer.begin() as connection:
            return writing.requeue(connection, claimed.id, claimed.attempt - 1)

    def run_again(self, claimed: Claimed) -> bool:
        """Puts a running capture back in the queue because this attempt was lost; it counts."""
        with self._writer.begin() as connection:
            return writing.requeue(connection, claimed.id, claimed.attempt)

    def abandon(self, id: str, failure: Failure) -> bool:
        """Ends a running capture because of `failure`: its open stages fail, it is done if it had any other, else failed."""
        with self._writer.begin() as connection:
            return writing.abandon(connection, id, failure)

    def _set_stage(self, id: str, target: str, stage: Stage, ended: bool) -> bool:
        values = packing.stage_values(stage)  # compressed before the transaction: others can write meanwhile
        rows = [packing.graph_values(graph) for graph in stage.graphs]
        with self._writer.begin() as connection:
            number = writing.touch(connection, id, "running")
            if number is not None:
                writing.set_stage(connection, number, target, stage.id, values)
                writing.add_graphs(connection, number, target, stage.id, rows)
                if ended:
                    tallies.stage_ended(connection, stage)
        return number is not None


def _check_queue(connection: Connection, limit: int | None) -> None:
    if limit is not None and (waiting := reading.queue_counts(connection).queued) >= limit:
        raise UserError(
            "too-busy",
            "The queue is full",
            f"{waiting} captures wait already; this server lets {limit} wait.",
            "Try again in a minute.",
        )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()  # 32 random bytes need no slow hash
