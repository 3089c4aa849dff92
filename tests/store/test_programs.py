"""The exported programs of graphs: kept as they came, named in the summary by their size only."""

from __future__ import annotations

from store_values import export_stage, submission, target

from graphcap.graph.stream import Added, SavedProgram
from graphcap.store.captures import Store

DATA = b"PK\x03\x04 and more \0"


def test_a_program_is_kept_with_its_graph(store: Store) -> None:
    id = store.create(submission()).id
    store.claim()
    store.targets_found(id, [target()], ["export", "core_aten"])
    store.stage_ended(id, "t1", export_stage())
    assert store.program(id, "export.0") is None
    assert store.stage_added(id, Added("t1", "export", programs=(SavedProgram("export.0", DATA),)))
    assert store.program(id, "export.0") == DATA
    assert store.program(id, "core_aten.0") is None and store.program("none", "export.0") is None
    summary = store.summary(id)
    assert summary is not None
    assert [graph.program_bytes for graph in summary.targets[0].stages[0].graphs] == [len(DATA)]
