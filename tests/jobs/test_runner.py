"""The queue: order, slots, cancelling, deleting, and what happens when the process that runs captures dies."""

from __future__ import annotations

import dataclasses
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from running import HERE, alive, plan, statuses, submission

from graphcap.errors import UserError
from graphcap.graph.document import Failure
from graphcap.jobs.runner import Runner, runner_lock, submit
from graphcap.settings import Settings
from graphcap.store.captures import UNKNOWN, Store
from graphcap.store.records import CaptureSummary, Sender

ROOT = Path(__file__).parents[2]
GOOD = "begin(); whole(); say(Bye())"
WAITS = "begin(); print(os.getpid(), flush=True); say(Started('t1', 'eager')); time.sleep(600)"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """What is run here is run without a jail; see `running`."""
    return dataclasses.replace(settings, unsafe_no_jail=True)


@contextmanager
def started(settings: Settings, store: Store) -> Iterator[Runner]:
    runner = Runner(settings, store, plan(settings))
    runner.start()
    try:
        yield runner
    finally:
        runner.stop()


def until(holds: Callable[[], object], seconds: float = 300) -> None:
    """Waits; the time is only there so that a failure does not hang."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def found(store: Store, id: str) -> CaptureSummary:
    summary = store.summary(id)
    assert summary is not None
    return summary


def ended(store: Store, *ids: str) -> Callable[[], bool]:
    return lambda: all(found(store, id).ended for id in ids)


def pid_of(store: Store, id: str) -> int:
    """The process of a capture that said so."""
    until(lambda: (log := store.log(id)) is not None and log.text.endswith("\n"))
    log = store.log(id)
    assert log is not None
    return int(log.text)


def test_what_is_submitted_is_run_in_order(settings: Settings, store: Store) -> None:
    ids = [submit(store, settings, submission(GOOD, "export"), HERE).id for _ in range(3)]
    with started(settings, store):
        until(ended(store, *ids))
    times = [found(store, id).started for id in ids]
    assert [found(store, id).status for id in ids] == ["done"] * 3
    assert times == sorted(time for time in times if time is not None)


def test_slots_run_side_by_side(settings: Settings, store: Store, tmp_path: Path) -> None:
    """Each waits for the other: with one slot neither would end."""
    code = "begin(); open({0!r}, 'w').close()\nwhile not os.path.exists({1!r}): time.sleep(0.01)\nwhole(); say(Bye())"
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    ids = [store.create(submission(code.format(*pair), "export"), sender=HERE).id for pair in ((a, b), (b, a))]
    with started(dataclasses.replace(settings, slots=2), store):
        until(ended(store, *ids))
    assert [found(store, id).status for id in ids] == ["done", "done"]


def test_a_full_queue_refuses_until_something_is_taken(settings: Settings, store: Store) -> None:
    small = dataclasses.replace(settings, queue=2)
    ids = [submit(store, small, submission(GOOD, "export"), HERE).id for _ in range(2)]
    with pytest.raises(UserError) as caught:
        submit(store, small, submission(GOOD, "export"), HERE)
    assert caught.value.code == "too-busy"
    with started(settings, store):
        until(ended(store, *ids))
    assert submit(store, small, submission(GOOD, "export"), HERE)


def test_cancelling_what_runs_kills_it_and_the_next_one_runs(settings: Settings, store: Store) -> None:
    running, waiting = (store.create(submission(code, "eager"), sender=HERE).id for code in (WAITS, GOOD))
    with started(settings, store):
        pid = pid_of(store, running)
        assert store.request_cancel(running)
        until(ended(store, running, waiting))
    assert not alive(pid)
    assert found(store, running).status == "cancelled"
    assert statuses(found(store, running)) == {"eager": "skipped"}
    assert found(store, waiting).status == "done"


def test_deleting_what_runs_kills_it_and_leaves_nothing(settings: Settings, store: Store) -> None:
    running, waiting = (store.create(submission(code, "eager"), sender=HERE).id for code in (WAITS, GOOD))
    with started(settings, store):
        pid = pid_of(store, running)
        assert store.delete(running)
        until(ended(store, waiting))
    assert not alive(pid)
    assert store.summary(running) is None
    assert list((settings.data_dir / "work").iterdir()) == []


def test_stopping_puts_what_runs_back(settings: Settings, store: Store) -> None:
    id = store.create(submission(WAITS, "eager"), sender=HERE).id
    with started(settings, store):
        pid = pid_of(store, id)
    assert not alive(pid)
    summary = found(store, id)
    assert (summary.status, summary.targets, summary.log_bytes, summary.started) == ("queued", (), 0, None)
    claimed = store.claim()
    assert claimed is not None and claimed.attempt == 1


def test_a_fault_of_ours_ends_the_capture_and_not_the_runner(settings: Settings, store: Store) -> None:
    def faulty(claimed: object, store: Store, settings: Settings, pool: object, stopping: object) -> None:
        if not claimed.submission.files[0].data.startswith(b"good"):  # type: ignore[attr-defined]
            raise ZeroDivisionError("ours")
        store.finish(claimed.id, "done")  # type: ignore[attr-defined]

    bad, good = (store.create(submission(code), sender=HERE).id for code in ("bad", "good"))
    runner = Runner(settings, store, plan(settings), faulty)
    runner.start()
    until(ended(store, bad, good))
    runner.stop()
    assert found(store, bad).failures[0].type == "internal"
    assert "ZeroDivisionError" not in found(store, bad).failures[0].message
    assert found(store, good).status == "done"


@pytest.mark.parametrize(("sender", "why"), [(HERE, "internal"), (UNKNOWN, "no-jail")])
def test_a_capture_that_can_not_be_ended_at_once_is_ended_later(
    settings: Settings, store: Store, monkeypatch: pytest.MonkeyPatch, sender: Sender, why: str
) -> None:
    def faulty(claimed: object, store: Store, settings: Settings, pool: object, stopping: object) -> None:
        raise OSError("the disk is full")

    abandon, refused = store.abandon, [1, 2]

    def abandon_later(id: str, failure: Failure) -> bool:
        if refused:
            refused.pop()
            raise OSError("the disk is full still")
        return abandon(id, failure)

    monkeypatch.setattr(store, "abandon", abandon_later)
    monkeypatch.setattr("graphcap.jobs.runner.PAUSE_SECONDS", 0.05)
    id = store.create(submission(GOOD), sender=sender).id
    runner = Runner(settings, store, plan(settings), faulty)
    runner.start()
    until(ended(store, id))
    runner.stop()
    assert not refused and found(store, id).failures[0].type == why


def test_one_runner_at_a_time_and_the_other_takes_over(settings: Settings, store: Store) -> None:
    with started(settings, store) as first:
        until(lambda: first.holds_lock)
        with started(settings, store) as second:
            with runner_lock(settings) as held:
                assert not held
            assert not second.holds_lock
            first.stop()
            assert not first.holds_lock
            until(lambda: second.holds_lock)
            id = store.create(submission(GOOD, "export"), sender=HERE).id
            until(ended(store, id))
    assert found(store, id).status == "done"


SERVER = """
import signal, sys, time
sys.path.insert(0, {tests!r})
from pathlib import Path
from graphcap.jobs import runner
from graphcap.settings import Settings
from graphcap.store.captures import UNKNOWN, Store
from running import plan
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
settings = Settings(data_dir=Path({data!r}), unsafe_no_jail=True)
store = Store(settings.sqlalchemy_url)
started = runner.start(settings, store, plan(settings))
while not started.holds_lock: time.sleep(0.01)
print("holds", flush=True)
time.sleep(600)
"""


def server(settings: Settings) -> subprocess.Popen[str]:
    code = SERVER.format(tests=str(Path(__file__).parent), data=str(settings.data_dir))
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "holds\n"
    return process


def end(process: subprocess.Popen[str], how: signal.Signals) -> int:
    """Its exit code."""
    process.send_signal(how)
    code = process.wait(300)
    assert process.stdout is not None
    process.stdout.close()
    return code


def test_when_the_process_dies_another_finishes_its_capture(settings: Settings, store: Store, tmp_path: Path) -> None:
    """The first attempt waits for ever; the second finds the mark that the first one left, and ends."""
    mark = str(tmp_path / "tried")
    code = (
        f"begin()\nif not os.path.exists({mark!r}):\n  open({mark!r}, 'w').close(); exec({WAITS[9:]!r})\nwhole(); say(Bye())"
    )
    id = store.create(submission(code, "eager"), sender=HERE).id
    first = server(settings)
    pid = pid_of(store, id)
    work = list((settings.data_dir / "work").iterdir())
    assert len(work) == 1
    with started(settings, store) as second:
        assert not second.holds_lock
        end(first, signal.SIGKILL)
        until(ended(store, id))
        until(lambda: not alive(pid))
    assert found(store, id).status == "done" and statuses(found(store, id)) == {"eager": "done"}
    assert not work[0].exists()


def test_a_capture_that_takes_the_server_down_twice_is_given_up(settings: Settings, store: Store) -> None:
    id = store.create(submission(WAITS, "eager"), sender=HERE).id
    for _ in range(2):
        process = server(settings)
        until(lambda: found(store, id).status == "running" and found(store, id).log_bytes)
        end(process, signal.SIGKILL)
    with started(settings, store):
        until(ended(store, id))
    assert found(store, id).status == "failed"
    assert "the server stopped 2 times" in found(store, id).failures[0].message


def test_a_process_that_ends_in_order_stops_its_runs_first(settings: Settings, store: Store) -> None:
    id = store.create(submission(WAITS, "eager"), sender=HERE).id
    process = server(settings)
    pid = pid_of(store, id)
    assert end(process, signal.SIGTERM) == 0
    assert not alive(pid)
    assert found(store, id).status == "queued"
    assert list((settings.data_dir / "work").iterdir()) == []
    claimed = store.claim()
    assert claimed is not None and claimed.attempt == 1
