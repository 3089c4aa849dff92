"""The store through its door: what web asks for."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import pytest
from store_values import CODE, export_stage, graph, submission, target

from graphcap.errors import UserError
from graphcap.graph.document import Failure, Options, Stage
from graphcap.store.captures import Store
from graphcap.store.records import CaptureTitle, GraphSummary, QueueCounts


def run(store: Store) -> str:
    """A capture with one target that is being run."""
    created = store.create(submission(stages=("export", "core_aten")))
    claimed = store.claim()
    assert claimed is not None and claimed.id == created.id
    assert store.torch_known(created.id, "2.13.0")
    assert store.targets_found(created.id, [target()], ["export", "core_aten"])
    return created.id


def test_a_new_capture_is_queued_with_everything_that_was_sent(store: Store) -> None:
    created = store.create(submission())
    summary = store.summary(created.id)
    assert summary is not None
    assert (summary.status, summary.queue_position, summary.kind, summary.entry) == ("queued", 1, "py", "model.py")
    assert summary.options == Options()
    assert [(file.name, file.size) for file in summary.files] == [("model.py", len(CODE))]
    assert (summary.started, summary.finished, summary.seconds, summary.targets) == (None, None, None, ())
    assert store.files(created.id) == submission().files


def test_ids_and_tokens_are_long_and_never_the_same(store: Store) -> None:
    made = [store.create(submission()) for _ in range(20)]
    assert len({c.id for c in made}) == len({c.delete_token for c in made}) == 20
    assert min(len(c.id) for c in made) >= 16 and min(len(c.delete_token) for c in made) >= 32


def test_the_token_is_checked_and_not_kept(store: Store, tmp_path: Path) -> None:
    first, second = store.create(submission()), store.create(submission())
    assert store.token_matches(first.id, first.delete_token)
    assert not store.token_matches(first.id, second.delete_token)
    assert not store.token_matches(first.id, "")
    assert not store.token_matches(first.id, "\ud800")
    assert not store.token_matches("nobody", first.delete_token)
    kept = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir())
    assert first.id.encode() in kept
    assert first.delete_token.encode() not in kept


def test_the_queue_is_first_come_first_served(store: Store) -> None:
    ids = [store.create(submission()).id for _ in range(3)]
    positions = [summary.queue_position for id in ids if (summary := store.summary(id))]
    assert positions == [1, 2, 3]
    claimed = store.claim()
    assert claimed is not None and claimed.id == ids[0] and claimed.attempt == 1
    assert claimed.submission == submission()
    assert [s.queue_position for id in ids if (s := store.summary(id))] == [None, 1, 2]
    assert store.queue_counts() == QueueCounts(queued=2, running=1)
    assert [store.claim() is not None for _ in range(3)] == [True, True, False]


def test_a_full_queue_refuses(store: Store) -> None:
    store.create(submission(), queue_limit=2)
    store.create(submission(), queue_limit=2)
    with pytest.raises(UserError, match="2 captures wait") as caught:
        store.create(submission(), queue_limit=2)
    assert caught.value.code == "too-busy" and caught.value.status == 503
    assert store.claim() is not None
    store.create(submission(), queue_limit=2)


def test_stages_fill_in_as_they_end(store: Store) -> None:
    id = run(store)
    summary = store.summary(id)
    assert summary is not None and summary.torch == "2.13.0"
    assert [(s.id, s.status) for s in summary.targets[0].stages] == [("export", "queued"), ("core_aten", "queued")]
    store.stage_started(id, "t1", "export")
    store.stage_ended(id, "t1", export_stage())
    store.stage_started(id, "t1", "core_aten")
    summary = store.summary(id)
    assert summary is not None
    export, core = summary.targets[0].stages
    assert (export.status, export.seconds, export.breaks, export.guards, export.notes) == ("done", 1.5, 1, 2, ("a note",))
    assert export.graphs == (GraphSummary("export.0", "whole", 0, 3, 3, False, ""),)
    assert core.status == "running"
    assert (summary.targets[0].title, summary.targets[0].frame) == ("Linear", target().frame)


def test_graphs_and_details_come_back_whole(store: Store) -> None:
    id = run(store)
    store.stage_ended(id, "t1", export_stage())
    assert store.graph(id, "export.0") == graph()
    assert store.graph(id, "export.1") is None
    assert store.graph("nobody", "export.0") is None
    details = store.stages(id)
    assert details is not None
    assert details[0] == (
        "t1",
        Stage("export", "done", 1.5, notes=("a note",), breaks=export_stage().breaks, guards=export_stage().guards),
    )
    assert details[1] == ("t1", Stage("core_aten", "queued"))


def test_several_targets_keep_their_order(store: Store) -> None:
    id = run(store)
    store.targets_found(id, [target("t3"), target("t2")], ["export"])
    summary = store.summary(id)
    assert summary is not None
    assert [t.id for t in summary.targets] == ["t1", "t3", "t2"]


def test_a_stage_nobody_announced_is_a_fault(store: Store) -> None:
    id = run(store)
    with pytest.raises(KeyError):
        store.stage_ended(id, "t1", Stage("joint", "done"))
    assert [stage.id for _, stage in store.stages(id) or ()] == ["export", "core_aten"]


def test_the_revision_grows_with_every_change(store: Store) -> None:
    id = run(store)
    seen = [store.revision(id)]
    for change in (
        lambda: store.stage_started(id, "t1", "export"),
        lambda: store.stage_ended(id, "t1", export_stage()),
        lambda: store.append_log(id, "hello"),
        lambda: store.request_cancel(id),
        lambda: store.finish(id, "cancelled"),
    ):
        assert change()
        seen.append(store.revision(id))
    numbers = [n for n in seen if n is not None]
    assert len(numbers) == 6 and numbers == sorted(set(numbers))
    assert store.revision("nobody") is None


def test_the_log_is_read_from_where_one_stopped(store: Store) -> None:
    id = run(store)
    store.append_log(id, "första\n")
    store.append_log(id, "nul \0 here\n")
    whole = store.log(id)
    assert whole is not None and whole.text == "första\nnul \u2400 here\n" and whole.cut == 0
    rest = store.log(id, len("första\n"))
    assert rest is not None and rest.text == "nul \u2400 here\n"
    store.finish(id, "done", log_cut=12)
    end = store.log(id, len(whole.text))
    assert end is not None and (end.text, end.cut) == ("", 12)
    summary = store.summary(id)
    assert summary is not None and summary.log_bytes == len(whole.text.encode()) and summary.log_cut == 12


def test_a_finished_capture_says_when_and_why(store: Store) -> None:
    id = run(store)
    store.finish(id, "failed", [Failure("SyntaxError", "invalid syntax")])
    summary = store.summary(id)
    assert summary is not None and summary.ended and summary.status == "failed"
    assert summary.failures == (Failure("SyntaxError", "invalid syntax"),)
    assert summary.seconds is not None and summary.seconds >= 0
    assert summary.created.utcoffset() is not None


def test_nothing_changes_once_it_ended(store: Store) -> None:
    id = run(store)
    store.finish(id, "done")
    before = store.summary(id)
    assert not store.finish(id, "failed")
    assert not store.append_log(id, "late")
    assert not store.stage_ended(id, "t1", export_stage())
    assert not store.targets_found(id, [target("t2")], ["export"])
    assert not store.request_cancel(id)
    assert store.summary(id) == before


def test_cancelling(store: Store) -> None:
    running, waiting = run(store), store.create(submission()).id
    assert store.request_cancel(waiting) and store.request_cancel(running)
    ended, asked = store.summary(waiting), store.summary(running)
    assert ended is not None and ended.status == "cancelled" and ended.finished is not None
    assert asked is not None and asked.status == "running" and asked.cancel_requested
    assert store.wants_stop(running)
    assert store.claim() is None
    assert not store.request_cancel(waiting)
    assert not store.request_cancel("nobody")


def test_deleting_leaves_nothing(store: Store, tmp_path: Path) -> None:
    kept, gone = run(store), run(store)
    for id in (kept, gone):
        store.stage_ended(id, "t1", export_stage())
        store.cached(id, "graph", "1", lambda: b"{}")
    assert not store.wants_stop(gone)
    assert store.delete(gone)
    assert store.wants_stop(gone)
    assert not store.stage_ended(gone, "t1", export_stage())
    assert not store.delete(gone)
    assert [store.summary(gone), store.files(gone), store.log(gone), store.stages(gone), store.graph(gone, "export.0")] == [
        None
    ] * 5
    assert store.graph(kept, "export.0") is not None
    with sqlite3.connect(tmp_path / "data" / "captures.sqlite3") as database:
        for table in ("files", "targets", "stages", "graphs", "rendered"):
            assert database.execute(f"SELECT count(DISTINCT capture) FROM {table}").fetchone() == (1,), table
    database.close()


def test_titles_in_the_order_asked_for(store: Store) -> None:
    first, second = run(store), store.create(submission("net.py")).id
    found = store.summaries([second, "nobody", first, second])
    assert [(t.id, t.title, t.status) for t in found] == [(second, "net.py", "queued"), (first, "Linear", "running")]
    assert isinstance(found[0], CaptureTitle)
    assert store.summaries([]) == ()


def test_an_answer_is_made_once_per_version(store: Store) -> None:
    id = run(store)
    made: list[bytes] = []

    def make(content: bytes) -> bytes:
        made.append(content)
        return content

    first = store.cached(id, "graph/export.0", "1", lambda: make(b"a" * 1000))
    again = store.cached(id, "graph/export.0", "1", lambda: make(b"b"))
    assert first == again and made == [b"a" * 1000]
    assert gzip.decompress(first.gzip) == b"a" * 1000 and len(first.gzip) < 100
    newer = store.cached(id, "graph/export.0", "2", lambda: make(b"a" * 1000))
    assert newer.etag != first.etag and len(made) == 2
    other = store.cached(id, "graph/export.1", "2", lambda: make(b"a" * 1000))
    assert other.etag == newer.etag


def test_an_answer_for_a_capture_that_is_gone_is_given_but_not_kept(store: Store) -> None:
    answer = store.cached("nobody", "k", "1", lambda: b"x")
    assert gzip.decompress(answer.gzip) == b"x"

    def missing() -> bytes:
        raise LookupError("no such graph")

    with pytest.raises(LookupError):
        store.cached("nobody", "k", "1", missing)


def test_counts_are_by_status(store: Store) -> None:
    assert store.counts() == {}
    store.create(submission())
    store.claim()
    store.create(submission())
    assert store.counts() == {"running": 1, "queued": 1}
