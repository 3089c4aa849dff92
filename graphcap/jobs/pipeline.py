"""A submission's way, step by step. `carry` is the one place that names the steps.

sandbox: a fork of a warm `graphcap.capture.warm` -> messages, each checked as it arrives -> store -> conclusion.
"""

from __future__ import annotations

import codecs
import logging
from collections.abc import Callable
from pathlib import Path

from graphcap.graph.codec import DocumentError, encode
from graphcap.graph.document import Failure, Stage
from graphcap.graph.stream import Added, Bye, Ended, Found, Hello, Message, Nothing, Request, Started
from graphcap.intake.reading.look import guessed_inputs
from graphcap.intake.submission import Submission
from graphcap.jobs.endings import doing_of, failure_of, kill_of, reusable, unreached, with_limit, with_limits
from graphcap.jobs.messages import Conversation, MessageLimits
from graphcap.jobs.versions import reuse_key
from graphcap.sandbox.outcome import Limits, Outcome
from graphcap.sandbox.zygote.pool import Plan, Pool
from graphcap.sandbox.zygote.process import Preload
from graphcap.sandbox.zygote.run import run
from graphcap.settings import MIB, Settings
from graphcap.store.captures import Store
from graphcap.store.records import CaptureStatus, Claimed
from graphcap.store.writing import CANCELLED

log = logging.getLogger(__name__)

ATTEMPTS = 2  # of a capture whose zygote died under it

CAPTURE = Preload("graphcap.capture.warm", path=(str(Path(__file__).parents[2]),))
"""What zygotes load."""


def plan(settings: Settings, preload: Preload = CAPTURE) -> Plan:
    """How zygotes are kept."""
    return Plan(
        preload,
        root=settings.data_dir.resolve() / "work",
        captures=settings.zygote_captures,
        unconfined=settings.unsafe_no_jail,
    )


def carry(
    claimed: Claimed,
    store: Store,
    settings: Settings,
    pool: Pool,
    stopping: Callable[[], bool] = lambda: False,
) -> None:
    """Runs a claimed capture to its end and leaves it ended in the store.

    Or queued again: if `stopping` came first, or, once, if it was lost with its zygote.
    """
    recorder = Recorder(claimed.id, store, settings, Conversation(claimed.submission.options, message_limits(settings)))
    outcome = run(
        pool,
        encode(request_of(claimed.submission, settings)),
        [(file.name, file.data) for file in claimed.submission.files],
        limits=limits_of(settings),
        on_result=recorder.take_result,
        on_log=recorder.take_log,
        cancelled=lambda: recorder.flush_log() or stopping() or store.wants_stop(claimed.id),
    )
    recorder.end_log()
    if outcome.kind == "cancelled" and stopping():
        store.requeue(claimed)
    elif outcome.rerun and claimed.attempt < ATTEMPTS and not stopping():
        log.error("capture %s is run again: %s", claimed.id, outcome.detail)
        store.run_again(claimed)
    else:
        conclude(claimed, store, settings, recorder, outcome)


def request_of(submission: Submission, settings: Settings) -> Request:
    """What the capture process is asked."""
    return Request(
        entry=submission.entry,
        kind=submission.kind,
        options=submission.options,
        memory_bytes=settings.capture_memory_mib * MIB,
        route_seconds=settings.route_wall_seconds,
        routes_at_once=settings.routes_at_once,
        message_bytes=settings.message_mib * MIB,
        nodes=settings.stage_nodes,
        guessed=guessed_inputs(submission),
    )


def limits_of(settings: Settings) -> Limits:
    """The sandbox's limits from the settings."""
    return Limits(
        wall_seconds=settings.capture_wall_seconds,
        cpu_seconds=settings.capture_cpu_seconds,
        memory_bytes=settings.capture_memory_mib * MIB,
        file_bytes=settings.capture_files_mib * MIB,
        files=settings.capture_files,
        open_files=settings.capture_open_files,
        processes=settings.capture_processes,
        log_bytes=settings.log_kib * 1024,
        result_bytes=settings.result_mib * MIB,
    )


def message_limits(settings: Settings) -> MessageLimits:
    """What a stage may be at most."""
    return MessageLimits(settings.message_mib * MIB, settings.stage_nodes)


class Recorder:
    """Takes what a run sends, as it arrives, into the store. `refusal` says why it took no more."""

    def __init__(self, id: str, store: Store, settings: Settings, conversation: Conversation) -> None:
        self._id = id
        self._store = store
        self._settings = settings
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._unwritten = ""
        self.conversation = conversation
        self.refusal = ""

    def take_result(self, data: bytes) -> bool:
        """The next bytes from the result descriptor. False ends the run: they are invalid, or the capture is gone."""
        try:
            for message in self.conversation.feed(data):
                self.flush_log()  # what was printed before a stage ended is seen before it
                if not self._record(message):
                    return False
        except DocumentError as error:
            self.refusal = str(error)
            return False
        return True

    def _record(self, message: Message) -> bool:
        match message:
            case Hello(torch):
                return self._store.torch_known(self._id, torch)
            case Found(targets):
                return self._store.targets_found(self._id, targets, self.conversation.asked)
            case Started(target, stage):
                return self._store.stage_started(self._id, target, stage)
            case Ended(target, stage):
                return self._store.stage_ended(self._id, target, with_limits(stage, self._settings))
            case Added():
                return self._store.stage_added(self._id, message)
            case Nothing() | Bye():
                return True

    def take_log(self, data: bytes) -> None:
        """The next bytes printed; they are kept back a moment, as a program may print a character at a time."""
        self._unwritten += self._text.decode(data)

    def flush_log(self) -> bool:
        """Writes what was printed since the last time. Always False, so that it can stand in a condition."""
        if self._unwritten:
            self._store.append_log(self._id, self._unwritten)
            self._unwritten = ""
        return False

    def end_log(self) -> None:
        """Writes the rest, half a character included."""
        self._unwritten += self._text.decode(b"", final=True)
        self.flush_log()


def conclude(claimed: Claimed, store: Store, settings: Settings, recorder: Recorder, outcome: Outcome) -> None:
    """Ends every stage that did not end, then the capture."""
    id, talk = claimed.id, recorder.conversation
    running = talk.in_state("running")
    doing = doing_of([stage for _, stage in running]) if talk.targets else "the submitted code was loaded"
    failure = failure_of(outcome, settings, doing, recorder.refusal)
    for target, stage in talk.in_state("queued", "running"):
        if outcome.kind == "cancelled":
            store.stage_ended(id, target, Stage(stage, "skipped", reason=CANCELLED))
        else:
            store.stage_ended(id, target, unreached(stage, failure, (target, stage) in running))
    status, failures = status_of(talk, outcome, failure)
    failures = tuple(with_limit(each, settings) for each in failures) if talk.failures else failures
    key = reuse_key(claimed.submission) if reusable(outcome, talk) else ""
    kill = kill_of(outcome)
    if not store.finish(id, status, failures, outcome.log_cut, outcome=outcome.kind, kill=kill, reuse_key=key):
        log.info("capture %s was deleted while it ran", id)
    if outcome.kind in ("sandbox-error", "supervisor-lost"):
        log.error("capture %s: %s %s", id, outcome.kind, outcome.detail)


def status_of(talk: Conversation, outcome: Outcome, failure: Failure) -> tuple[CaptureStatus, tuple[Failure, ...]]:
    """A capture is done when its pipeline ran to the end or had at least one stage; else it failed, and says why."""
    if outcome.kind == "cancelled":
        return "cancelled", ()
    if talk.targets and (talk.finished or talk.in_state("done", "failed", "skipped")):
        return "done", ()
    return "failed", talk.failures or (failure,)
