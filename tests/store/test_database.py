"""The database itself: migrations, several processes, PostgreSQL's statements."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, create_mock_engine, event, inspect, text
from store_values import submission

from graphcap.errors import UserError
from graphcap.graph.document import Options
from graphcap.intake.submission import Submission, SubmittedFile
from graphcap.store.captures import Store
from graphcap.store.database import migrate, open_engine
from graphcap.store.tables import metadata

ROOT = Path(__file__).parents[2]


def described(engine: Engine) -> dict[str, object]:
    found = inspect(engine)
    tables = sorted(set(found.get_table_names()) - {"alembic_version"})
    return {
        table: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in sorted(found.get_columns(table), key=lambda c: c["name"])],
            sorted(found.get_pk_constraint(table)["constrained_columns"]),
            [(k["constrained_columns"], k["referred_table"], k["options"]) for k in found.get_foreign_keys(table)],
            [(i["name"], i["column_names"]) for i in found.get_indexes(table)],
            [u["column_names"] for u in found.get_unique_constraints(table)],
        )
        for table in tables
    }


def test_migrations_make_the_tables_the_code_uses(tmp_path: Path) -> None:
    migrated = open_engine(f"sqlite:///{tmp_path}/a.sqlite3")
    migrate(migrated)
    direct = create_engine(f"sqlite:///{tmp_path}/b.sqlite3")
    metadata.create_all(direct)
    assert described(migrated) == described(direct)
    assert set(described(migrated)) == {
        "arrivals",
        "captures",
        "files",
        "graphs",
        "rendered",
        "stages",
        "tallies",
        "targets",
    }
    migrated.dispose()
    direct.dispose()


def test_migrating_again_keeps_everything(store: Store) -> None:
    id = store.create(submission()).id
    store.migrate()
    assert store.summary(id) is not None


OLD = {"number": 7, "id": "old", "token_hash": "", "status": "queued", "kind": "py", "entry": "model.py", "sha256": "0"}
NULLS = {"options": b"{}", "created": 1.0, "torch": "", "failures": b"[]", "log": "", "cancel_requested": False}
ZEROS = {"log_bytes": 0, "log_cut": 0, "revision": 1, "attempts": 0}


def test_captures_of_the_first_tables_stay(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/old.sqlite3")
    engine = open_engine(f"sqlite:///{tmp_path}/old.sqlite3")
    migrate(engine, "0001")
    row = {**OLD, **NULLS, **ZEROS}
    with engine.begin() as connection:
        columns, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO captures ({columns}) VALUES ({marks})"), row)
        connection.execute(text("INSERT INTO files VALUES (7, 0, 'model.py', 1, 'x')"))
    engine.dispose()
    store.migrate()
    summary, claimed = store.summary("old"), store.claim()
    assert summary is not None and summary.files[0].name == "model.py"
    assert claimed is not None and not claimed.local
    assert store.create(submission(), reuse_key="").status == "queued"
    store.close()


def test_a_database_of_a_newer_version_is_refused(store: Store, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "data" / "captures.sqlite3") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(RuntimeError, match="written by a newer graphcap"):
        store.migrate()


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="in memory"):
        Store("sqlite://")


def test_a_new_file_that_another_process_is_opening_is_waited_for(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "new.sqlite3", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # SQLite lets nobody wait who then asks for write-ahead logging
    threading.Timer(0.3, lambda: other.execute("COMMIT")).start()
    store = Store(f"sqlite:///{tmp_path}/new.sqlite3")
    store.migrate()
    store.close()
    other.close()


MANY = """
import sys
sys.path.insert(0, sys.argv[2])
from graphcap.store.captures import Store
from store_values import submission
store = Store(sys.argv[1])
store.migrate()
for _ in range(10):
    store.create(submission())
    print(store.claim().id)
"""


def test_several_processes_migrate_and_claim_side_by_side(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/shared.sqlite3"
    command = [sys.executable, "-c", MANY, url, str(Path(__file__).parent)]
    running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    outputs = [process.communicate(timeout=120)[0].split() for process in running]
    assert [process.returncode for process in running] == [0] * 4
    claimed = [id for output in outputs for id in output]
    assert len(claimed) == len(set(claimed)) == 40


def test_threads_share_a_store(store: Store) -> None:
    claimed: list[str] = []

    def work() -> None:
        for _ in range(10):
            store.create(submission())
            found = store.claim()
            assert found is not None
            claimed.append(found.id)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(claimed)) == 80


def test_a_forked_child_opens_its_own_connections(store: Store) -> None:
    id = store.create(submission()).id
    child = os.fork()
    if child == 0:
        ok = store.summary(id) is not None and store.claim() is not None
        os._exit(0 if ok else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0
    summary = store.summary(id)
    assert summary is not None and summary.status == "running"


def test_every_table_has_statements_for_postgresql() -> None:
    statements: list[str] = []
    engine = create_mock_engine(
        "postgresql://", lambda sql, *_, **__: statements.append(str(sql.compile(dialect=engine.dialect)))
    )
    metadata.create_all(engine, checkfirst=False)
    written = "\n".join(statements)
    assert written.count("CREATE TABLE") == len(metadata.tables)
    assert "BYTEA" in written and "DOUBLE PRECISION" in written


def test_a_file_that_is_no_database_is_named_with_what_to_check(tmp_path: Path) -> None:
    file = tmp_path / "captures.sqlite3"
    file.write_bytes(b"no database at all" * 1000)
    with pytest.raises(RuntimeError, match=r"captures\.sqlite3 can not be used: file is not a database.*GRAPHCAP_DATA_DIR"):
        Store(f"sqlite:///{file}").migrate()


def test_a_full_disk_is_told_as_such_and_what_was_there_stays(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/captures.sqlite3")
    store.migrate()
    id = store.create(submission()).id
    event.listen(store._engine, "connect", _no_more_pages)
    store.close()  # the connections opened from here on may not make the file larger, as on a full disk
    with pytest.raises(UserError, match="disk is full") as told:
        store.create(Submission((SubmittedFile("model.py", bytes(1 << 20)),), "py", "model.py", Options(), "0" * 64))
    assert told.value.status == 503
    assert store.summary(id) is not None


def _no_more_pages(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA max_page_count = 1").close()  # SQLite makes it as many as there are
