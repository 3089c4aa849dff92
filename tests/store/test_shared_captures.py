"""Captures that show what an earlier run of the same submission gave."""

from __future__ import annotations

import dataclasses
import sqlite3
from pathlib import Path

from store_values import CODE, export_stage, submission, target

from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary, Created

TABLES = ("captures", "files", "targets", "stages", "graphs", "rendered")


def ran(store: Store, key: str = "k", status: str = "done") -> Created:
    """A capture that was run, and printed something."""
    created = store.create(submission())
    claimed = store.claim()
    assert claimed is not None and claimed.id == created.id
    store.torch_known(created.id, "2.13.0")
    store.targets_found(created.id, (target(),), ("export",))
    store.stage_ended(created.id, "t1", export_stage())
    store.append_log(created.id, "printed\n")
    store.cached(created.id, "columns/export.0", "1", lambda: b"columns")
    store.finish(created.id, status, log_cut=3, reuse_key=key)  # type: ignore[arg-type]
    return created


def again(store: Store, key: str = "k") -> Created:
    return store.create(submission(), reuse_key=key)


def found(store: Store, id: str) -> CaptureSummary:
    summary = store.summary(id)
    assert summary is not None
    return summary


def shown(store: Store, id: str) -> CaptureSummary:
    """A capture without what is its own."""
    return dataclasses.replace(found(store, id), id="", created=found(store, id).started, revision=0)  # type: ignore[arg-type]


def rows(tmp_path: Path) -> dict[str, int]:
    with sqlite3.connect(tmp_path / "data" / "captures.sqlite3") as database:
        counts = {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES}
    database.close()
    return counts


def test_the_same_submission_is_finished_at_once_and_shows_the_same(store: Store) -> None:
    first = ran(store)
    second = again(store)
    assert (first.status, second.status) == ("queued", "done")
    assert second.id != first.id and second.delete_token != first.delete_token
    assert shown(store, second.id) == shown(store, first.id)
    assert store.graph(second.id, "export.0") == store.graph(first.id, "export.0") is not None
    assert store.stages(second.id) == store.stages(first.id)
    assert store.log(second.id) == store.log(first.id)
    files = store.files(second.id)
    assert files is not None and files[0].data == CODE
    assert store.summaries([second.id])[0].title == "Linear"
    assert store.claim() is None


def test_an_answer_made_for_one_is_there_for_the_other(store: Store) -> None:
    first, second = ran(store), again(store)

    def fail() -> bytes:
        raise AssertionError("made again")

    assert store.cached(second.id, "columns/export.0", "1", fail) == store.cached(first.id, "columns/export.0", "1", fail)
    made = store.cached(second.id, "text/export.0", "1", lambda: b"text")
    assert store.cached(first.id, "text/export.0", "1", fail) == made


def test_nothing_is_copied(store: Store, tmp_path: Path) -> None:
    ran(store)
    before = rows(tmp_path)
    for _ in range(5):
        again(store)
    assert rows(tmp_path) == {**before, "captures": 6}


def test_another_key_or_none_is_run(store: Store) -> None:
    ran(store)
    assert again(store, "other").status == "queued"
    assert again(store, "").status == "queued"


def test_what_was_not_to_be_reused_or_is_not_done_is_not(store: Store) -> None:
    ran(store, key="")
    ran(store, status="failed")
    ran(store, status="cancelled")
    assert again(store).status == "queued"
    assert again(store, "").status == "queued"


def test_the_tokens_are_not_shared(store: Store) -> None:
    first, second = ran(store), again(store)
    assert store.token_matches(second.id, second.delete_token)
    assert not store.token_matches(second.id, first.delete_token)
    assert not store.token_matches(first.id, second.delete_token)


def test_deleting_the_first_does_not_harm_the_others(store: Store, tmp_path: Path) -> None:
    first, second = ran(store), again(store)
    third = again(store)
    before = shown(store, second.id)
    assert store.delete(first.id)
    assert store.summary(first.id) is None and store.graph(first.id, "export.0") is None
    assert store.files(first.id) is None and store.log(first.id) is None
    assert not store.token_matches(first.id, first.delete_token) and not store.delete(first.id)
    assert store.counts() == {"done": 2}
    assert shown(store, second.id) == shown(store, third.id) == before
    assert store.graph(third.id, "export.0") is not None
    assert again(store).status == "done"


def test_deleting_another_does_not_harm_the_first(store: Store) -> None:
    first, second = ran(store), again(store)
    assert store.delete(second.id)
    assert store.summary(second.id) is None
    assert store.graph(first.id, "export.0") is not None and store.files(first.id)


def test_when_all_are_deleted_nothing_stays(store: Store, tmp_path: Path) -> None:
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        made = [ran(store), again(store), again(store)]
        for i in order:
            assert store.delete(made[i].id)
        assert set(rows(tmp_path).values()) == {0}, order
        assert again(store).status == "queued"
        assert store.delete(store.claim().id)  # type: ignore[union-attr]


def test_a_newer_run_is_preferred(store: Store) -> None:
    ran(store)
    newer = ran(store)
    store.delete(newer.id)
    newest = ran(store)
    store.cached(newest.id, "mark", "1", lambda: b"newest")
    assert store.cached(again(store).id, "mark", "1", lambda: b"older") == store.cached(newest.id, "mark", "1", bytes)


def test_a_full_queue_takes_what_need_not_be_run(store: Store) -> None:
    ran(store)
    store.create(submission())
    assert store.create(submission(), queue_limit=1, reuse_key="k").status == "done"
