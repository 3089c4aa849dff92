"""Limits of one sender, and the tallies."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest
from store_values import export_stage, submission, target

from graphcap.errors import UserError
from graphcap.graph.document import Failure, Stage
from graphcap.store.captures import Store
from graphcap.store.records import Created, Sender

ANNA, BERT = (Sender(address, at_once=2, per_minute=3) for address in ("192.0.2.1", "192.0.2.2"))
FAST = Sender("192.0.2.3", per_minute=3)
HERE = Sender("127.0.0.1", local=True, at_once=1, per_minute=1)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


def send(store: Store, sender: Sender, reuse_key: str = "") -> Created:
    return store.create(submission(), sender=sender, reuse_key=reuse_key)


def refused(store: Store, sender: Sender) -> UserError:
    with pytest.raises(UserError) as caught:
        send(store, sender)
    return caught.value


def test_so_many_in_a_minute_and_then_one_for_each_that_is_a_minute_old(store: Store, clock: list[float]) -> None:
    for second in (0, 10, 20):
        clock[0] = 1_000_000.0 + second
        send(store, FAST)
    error = refused(store, FAST)
    assert (error.code, error.status, error.retry_after) == ("rate-limited", 429, 40)
    clock[0] = 1_000_059.5
    assert refused(store, FAST).retry_after == 1
    clock[0] = 1_000_060.0
    send(store, FAST)
    assert refused(store, FAST).retry_after == 10


def test_what_was_refused_does_not_count(store: Store, clock: list[float]) -> None:
    for _ in range(3):
        send(store, FAST)
    for _ in range(10):
        refused(store, FAST)
    clock[0] += 60
    for _ in range(3):
        send(store, FAST)


def test_the_rate_can_be_asked_before(store: Store, clock: list[float]) -> None:
    for _ in range(3):
        store.check_rate(FAST)
        send(store, FAST)
    with pytest.raises(UserError, match="3 captures a minute"):
        store.check_rate(FAST)


def test_deleting_does_not_make_room(store: Store, clock: list[float]) -> None:
    for _ in range(3):
        store.delete(send(store, FAST).id)
    assert refused(store, FAST).code == "rate-limited"


def test_so_many_that_wait_or_run(store: Store) -> None:
    first, _ = send(store, ANNA), send(store, ANNA)
    assert (refused(store, ANNA).code, refused(store, ANNA).status) == ("too-many-captures", 429)
    send(store, BERT)
    store.claim()
    assert refused(store, ANNA).code == "too-many-captures"
    store.finish(first.id, "done")
    send(store, ANNA)


def test_one_that_is_cancelled_makes_room_also_much_later(store: Store, clock: list[float]) -> None:
    first, _ = send(store, ANNA), send(store, ANNA)
    clock[0] += 3600
    send(store, BERT)  # forgets arrivals that are over
    assert refused(store, ANNA).code == "too-many-captures"
    store.request_cancel(first.id)
    send(store, ANNA)


def test_what_need_not_be_run_counts_as_sent_only(store: Store, clock: list[float]) -> None:
    finished = send(store, BERT)
    store.claim()
    store.finish(finished.id, "done", reuse_key="k")
    send(store, ANNA), send(store, ANNA)
    assert send(store, ANNA, "k").status == "done"
    assert refused(store, ANNA).code == "rate-limited"


def test_zero_is_no_limit_and_this_machine_has_none(store: Store) -> None:
    for _ in range(30):
        send(store, Sender("192.0.2.9"))
        send(store, HERE)


def test_the_runner_learns_what_was_sent_from_this_machine(store: Store, clock: list[float]) -> None:
    send(store, HERE), send(store, ANNA), store.create(submission())
    clock[0] += 3600
    send(store, ANNA)
    told = [claimed.local for _ in range(4) if (claimed := store.claim()) is not None]
    assert told == [True, False, False, False]


def test_addresses_are_forgotten(store: Store, clock: list[float], tmp_path: Path) -> None:
    store.request_cancel(send(store, ANNA).id)
    clock[0] += 61
    store.request_cancel(send(store, BERT).id)
    with sqlite3.connect(tmp_path / "data" / "captures.sqlite3") as database:
        kept = database.execute("SELECT sender FROM arrivals").fetchall()
    database.close()
    assert kept == [("192.0.2.2",)]


# ---------------------------------------------------------------------------------------------------------- the tallies


def running(store: Store) -> str:
    id = store.create(submission()).id
    store.claim()
    store.targets_found(id, (target(),), ("export", "core_aten"))
    return id


def test_endings_are_counted_and_deleting_takes_nothing_back(store: Store) -> None:
    for _ in range(2):
        id = running(store)
        store.stage_started(id, "t1", "export")
        store.stage_ended(id, "t1", export_stage())
        store.finish(id, "done", outcome="timeout", kill="timeout")
        store.delete(id)
    assert store.tallies() == {
        ("captures", "done timeout"): 2,
        ("kills", "timeout"): 2,
        ("stages", "export done"): 2,
        ("stage-seconds", "export done"): 3.0,
        ("stage-bucket", "export done 2.5"): 2,
    }


def test_every_way_to_end_is_counted_once(store: Store) -> None:
    store.request_cancel(store.create(submission()).id)
    store.abandon(running(store), Failure("internal", "ours"))
    id = running(store)
    store.finish(id, "failed")
    store.finish(id, "done")  # it has ended
    cancelled = running(store)
    store.request_cancel(cancelled)
    store.recover()
    captures = {label: value for (metric, label), value in store.tallies().items() if metric == "captures"}
    assert captures == {"cancelled cancelled": 2, "failed internal": 1, "failed failed": 1}
    stages = {label: value for (metric, label), value in store.tallies().items() if metric == "stages"}
    assert stages == {"export failed": 1, "core_aten failed": 1, "export skipped": 1, "core_aten skipped": 1}


def test_what_is_shown_again_is_counted_as_such(store: Store) -> None:
    id = running(store)
    store.finish(id, "done", outcome="ok", reuse_key="k")
    store.create(submission(), reuse_key="k")
    captures = {label: value for (metric, label), value in store.tallies().items() if metric == "captures"}
    assert captures == {"done ok": 1, "done reused": 1}


def test_a_time_that_is_a_lie_does_not_spoil_the_sum(store: Store) -> None:
    id = running(store)
    store.stage_ended(id, "t1", Stage("export", "done", seconds=1e308))
    store.stage_ended(id, "t1", Stage("core_aten", "done", seconds=0.05))
    tallies = store.tallies()
    assert tallies["stage-seconds", "export done"] == 3600
    assert tallies["stage-bucket", "export done inf"] == 1 and tallies["stage-bucket", "core_aten done 0.1"] == 1
