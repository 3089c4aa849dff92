"""The queue: one runner per data folder, elected by a file lock among the processes that called `start`.

Several web workers start one each. The one that gets the lock runs captures; when its process ends, however it ends, the
kernel frees the lock, another gets it, and takes up what was left running.
"""

from __future__ import annotations

import atexit
import fcntl
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from graphcap.graph.document import Failure
from graphcap.intake.submission import Submission
from graphcap.jobs import jailstate, pipeline
from graphcap.jobs.bell import Bell, ring
from graphcap.jobs.versions import reuse_key
from graphcap.sandbox import workfolder
from graphcap.sandbox.zygote.pool import Plan, Pool, PoolState
from graphcap.settings import Settings
from graphcap.store.captures import UNKNOWN, Store
from graphcap.store.records import Claimed, Created, Sender

log = logging.getLogger(__name__)

LOCK_SECONDS = 1.0  # how often a process without the lock tries for it
IDLE_SECONDS = 0.5  # how often an idle slot looks into the queue when no bell rings: one indexed query
PAUSE_SECONDS = 2.0  # after a fault, such as a database that is away
STOP_SECONDS = 30.0  # killing a run takes at most 20; see graphcap.sandbox.zygote.run

Carry = Callable[[Claimed, Store, Settings, Pool, Callable[[], bool]], None]


class Runner:
    """A background thread of this process that runs captures while it holds the lock, and waits for the lock otherwise."""

    def __init__(self, settings: Settings, store: Store, plan: Plan | None = None, carry: Carry = pipeline.carry) -> None:
        self._settings = settings
        self._store = store
        self._plan = plan or pipeline.plan(settings)
        self._carry = carry
        self._bell: Bell | None = None
        self._stopping = threading.Event()
        self._holding = threading.Event()
        self._thread = threading.Thread(target=self._elect, name="graphcap-runner", daemon=True)

    def start(self) -> None:
        """Once."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread; captures that run are stopped and go back to the queue."""
        self._stopping.set()
        if self._bell is not None:
            self._bell.ring_all(self._settings.slots)
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    @property
    def holds_lock(self) -> bool:
        """True while this process is the one that runs captures."""
        return self._holding.is_set()

    def _elect(self) -> None:
        while not self._stopping.is_set():
            with logged("the runner failed"), runner_lock(self._settings) as held:
                if held:
                    self._rule()
            self._stopping.wait(LOCK_SECONDS)

    def _rule(self) -> None:
        log.info("process %s runs the captures of %s", os.getpid(), self._settings.data_dir)
        workfolder.clear(self._plan.root)
        jailstate.forget(self._settings)
        self._store.recover()
        self._plan.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        pool, self._bell = Pool(self._plan, _Teller(self._settings)), Bell(self._settings)
        slots = [
            threading.Thread(target=self._serve, args=(pool, self._bell), name=f"graphcap-slot-{i}", daemon=True)
            for i in range(self._settings.slots)
        ]
        pool.start()
        self._holding.set()
        try:
            for slot in slots:
                slot.start()
            for slot in slots:
                slot.join()
        finally:
            self._holding.clear()
            pool.close()
            self._bell.close()

    def _serve(self, pool: Pool, bell: Bell) -> None:
        while not self._stopping.is_set():
            claimed = None
            with logged("the queue can not be read") as faults:
                claimed = self._store.claim()
            if claimed is not None:
                self._run(claimed, pool)
            elif faults:
                self._stopping.wait(PAUSE_SECONDS)
            else:
                bell.wait(IDLE_SECONDS)

    def _run(self, claimed: Claimed, pool: Pool) -> None:
        """A fault of ours ends the capture, not the slot."""
        tier = pool.wait_for_tier(self._stopping.is_set)
        if not jailstate.may_run(tier, self._settings, claimed.local):
            self._give_up(claimed, jailstate.refusal(self._settings))
            return
        log.info("capture %s starts (attempt %s)", claimed.id, claimed.attempt)
        with logged(f"capture {claimed.id} failed by a fault of graphcap") as faults:
            self._carry(claimed, self._store, self._settings, pool, self._stopping.is_set)
        if faults:
            self._give_up(claimed, INTERNAL)

    def _give_up(self, claimed: Claimed, failure: Failure) -> None:
        """Until it worked: a capture that was not ended would run for ever, as far as anyone can see."""
        while True:
            with logged(f"capture {claimed.id} could not be ended") as faults:
                self._store.abandon(claimed.id, failure)
            if not faults or self._stopping.wait(PAUSE_SECONDS):
                return


class _Teller:
    """Tells the other processes of this data folder, and the log, what the pool says of itself."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._announced: jailstate.JailState | None = None

    def __call__(self, state: PoolState) -> None:
        """On the pool's thread, at every change."""
        chosen = state.chosen
        jail = None if chosen is None else jailstate.JailState(chosen.tier, chosen.gives, chosen.refused)
        if jail is not None and jail != self._announced:
            jailstate.announce(jail, self._settings)
            self._announced = jail
        zygotes = tuple(
            jailstate.ZygoteState(each.status, each.pid, each.captures, each.running, each.since, each.detail)
            for each in state.zygotes
        )
        with logged("the state of the jail could not be told"):
            jailstate.keep(self._settings, jailstate.RunnerState(jail, zygotes, os.getpid()))


INTERNAL = Failure(
    type="internal",
    message="graphcap itself failed while it ran this capture; the server's log says how",
    hints=("Submit it again. If it happens again, tell whoever runs this server.",),
)


def start(settings: Settings, store: Store, plan: Plan | None = None) -> Runner:
    """Starts the runner of this process. Its thread is a daemon; `stop` is also called when the process ends in order."""
    runner = Runner(settings, store, plan)
    atexit.register(runner.stop)
    runner.start()
    return runner


def submit(store: Store, settings: Settings, submission: Submission, sender: Sender = UNKNOWN) -> Created:
    """Queues a submission, or shows what the same one gave before. Raises UserError where a limit is reached."""
    key = "" if submission.options.rerun else reuse_key(submission)
    created = store.create(submission, queue_limit=settings.queue, sender=sender, reuse_key=key)
    ring(settings)
    return created


@contextmanager
def runner_lock(settings: Settings) -> Iterator[bool]:
    """Whether this process has the lock, kept until the end of the block; the kernel frees it when the process dies."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    file = os.open(settings.data_dir / "runner.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(file)


@contextmanager
def logged(what: str) -> Iterator[list[Exception]]:
    """Keeps a thread alive: an exception is logged whole and put into the list."""
    faults: list[Exception] = []
    try:
        yield faults
    except Exception as error:
        log.exception(what)
        faults.append(error)
