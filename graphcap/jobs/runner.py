"""The queue: one runner per data folder, elected by a file lock among the processes that called `start`."""

from __future__ import annotations

from graphcap.intake.submission import Submission
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.store.records import Created


class Runner:
    """A background thread of this process that runs captures while it holds the lock, and waits for the lock otherwise."""

    def stop(self) -> None:
        """Ends the thread; captures that run are stopped and go back to the queue."""
        raise NotImplementedError

    @property
    def holds_lock(self) -> bool:
        """True while this process is the one that runs captures."""
        raise NotImplementedError


def start(settings: Settings, store: Store) -> Runner:
    """Starts the runner of this process; the thread is a daemon, and `stop` is also called at exit."""
    raise NotImplementedError


def submit(store: Store, settings: Settings, submission: Submission) -> Created:
    """Queues a submission; raises UserError("too-busy") when `settings.queue` captures wait already."""
    raise NotImplementedError
