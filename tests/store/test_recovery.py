"""What becomes of captures when the process that ran them is gone."""

from __future__ import annotations

import gzip

from store_values import export_stage, submission, target

from graphcap.graph.document import Failure
from graphcap.store.captures import Store


def left_running(store: Store) -> str:
    id = store.create(submission(stages=("export", "joint"))).id
    take_again(store, id)
    return id


def take_again(store: Store, id: str) -> None:
    claimed = store.claim()
    assert claimed is not None and claimed.id == id
    store.targets_found(id, [target()], ["export", "joint"])
    store.stage_ended(id, "t1", export_stage())
    store.stage_started(id, "t1", "joint")
    store.append_log(id, "printed")


def test_it_is_tried_once_more_from_the_start_and_before_later_ones(store: Store) -> None:
    id = left_running(store)
    later = store.create(submission()).id
    before = store.revision(id)
    store.recover()
    summary = store.summary(id)
    assert summary is not None and before is not None
    assert (summary.status, summary.queue_position, summary.targets, summary.log_bytes) == ("queued", 1, (), 0)
    assert summary.revision > before
    assert store.graph(id, "export.0") is None
    take_again(store, id)
    assert (other := store.claim()) is not None and other.id == later


def test_the_second_time_it_ends_with_what_it_had(store: Store) -> None:
    id = left_running(store)
    store.recover()
    take_again(store, id)
    store.recover()
    summary = store.summary(id)
    assert summary is not None and summary.status == "done" and summary.finished is not None
    export, joint = summary.targets[0].stages
    assert export.status == "done" and store.graph(id, "export.0") is not None
    assert joint.status == "failed" and "the server stopped 2 times" in joint.failures[0].message


def test_the_second_time_it_fails_if_it_had_nothing(store: Store) -> None:
    id = store.create(submission()).id
    for _ in range(2):
        assert store.claim() is not None
        store.recover()
    summary = store.summary(id)
    assert summary is not None and summary.status == "failed" and summary.finished is not None
    assert "the server stopped 2 times" in summary.failures[0].message


def test_a_capture_given_up_says_why_in_every_open_stage(store: Store) -> None:
    id = left_running(store)
    assert store.abandon(id, Failure("internal", "why"))
    summary = store.summary(id)
    assert summary is not None and summary.status == "done"
    assert [s.failures for s in summary.targets[0].stages] == [(), (Failure("internal", "why"),)]
    assert not store.abandon(id, Failure("internal", "again"))


def test_one_that_was_being_cancelled_is_cancelled(store: Store) -> None:
    id = left_running(store)
    store.request_cancel(id)
    store.recover()
    summary = store.summary(id)
    assert summary is not None and summary.status == "cancelled"
    assert [s.status for s in summary.targets[0].stages] == ["done", "skipped"]
    assert summary.targets[0].stages[1].reason == "the capture was cancelled"


def test_a_tidy_stop_does_not_count_as_an_attempt(store: Store) -> None:
    store.create(submission())
    for _ in range(5):
        claimed = store.claim()
        assert claimed is not None and claimed.attempt == 1
        assert store.requeue(claimed)
    store.recover()
    assert store.claim() is not None


def test_an_answer_made_of_a_run_that_was_taken_back_is_not_kept(store: Store) -> None:
    id = left_running(store)

    def make() -> bytes:
        store.recover()
        take_again(store, id)
        return b"of the first run"

    store.cached(id, "graph", "1", make)
    assert gzip.decompress(store.cached(id, "graph", "1", lambda: b"of the second run").gzip) == b"of the second run"


def test_others_are_left_alone(store: Store) -> None:
    waiting = store.create(submission()).id
    ended = store.create(submission()).id
    store.request_cancel(ended)
    before = [store.summary(id) for id in (waiting, ended)]
    store.recover()
    assert [store.summary(id) for id in (waiting, ended)] == before
