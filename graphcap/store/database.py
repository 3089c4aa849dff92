"""Opening the database and bringing it to this version's tables."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
import weakref
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, ExceptionContext, create_engine, event, make_url, text
from sqlalchemy.exc import DatabaseError

from graphcap.errors import UserError

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).with_name("migrations")
BUSY_SECONDS = 30  # a writer waits this long for another; the longest write, a stage of 64 MiB, takes about 2 s
MIGRATION_LOCK = 0x67726170  # any fixed number, the same in every process of one database


def open_engine(url: str) -> Engine:
    """An engine whose transactions are real ones. SQLite: WAL, foreign keys, and a folder made for the file."""
    parsed = make_url(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    if sqlite and parsed.database in (None, "", ":memory:"):
        raise ValueError(f"{url!r}: a database in memory can not be shared between processes; give a file")
    if sqlite:
        Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
    # As many connections as web threads: an event stream holds a thread, and uses a connection for moments only.
    # Parameters are people's files and words: they stay out of error messages, which are logged.
    engine = create_engine(parsed, pool_size=8, max_overflow=56, pool_pre_ping=not sqlite, hide_parameters=True)
    if sqlite:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        event.listen(engine, "handle_error", _explain_full_disk)
    _forget_connections_in_children(engine)
    return engine


def writing(engine: Engine) -> Engine:
    """The same engine for transactions that write: SQLite takes its lock at once, so that none fails half-way as busy."""
    return engine.execution_options(graphcap_writes=True)


def migrate(engine: Engine, revision: str = "head") -> None:
    """Upgrades to the newest tables in one transaction. Raises RuntimeError if a newer graphcap wrote the database, or if
    it can not be used at all: no database, damaged, or in a place that can not be written.
    """
    try:
        _upgrade(engine, revision)
    except DatabaseError as error:
        raise RuntimeError(
            f"the database {engine.url.render_as_string()} can not be used: {error.orig}. Check that it is whole, and that "
            "this user may write it and its folder (GRAPHCAP_DATA_DIR, GRAPHCAP_DATABASE_URL)."
        ) from error


def _upgrade(engine: Engine, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with writing(engine).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:
            newest = ScriptDirectory.from_config(config).get_current_head()
            raise RuntimeError(
                f"the database was written by a newer graphcap (this one knows up to {newest}): {error}"
            ) from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = (
        None  # the driver's own implicit transactions leave reads outside; `_begin_sqlite` starts them
    )
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}").close()
    _write_ahead(connection)
    for pragma in (
        "synchronous = NORMAL",  # with WAL: a power cut loses the last moments, never the file
        "foreign_keys = ON",
        "secure_delete = ON",  # a deleted model's bytes are overwritten
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Readers never wait for the writer. Of processes that open a new file at once SQLite refuses some without waiting."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("graphcap_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _explain_full_disk(context: ExceptionContext) -> None:
    """A full disk is no fault of the code: whoever asked is told so, and may ask again."""
    error = context.original_exception
    if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
        log.error("the disk of the database is full")
        raise UserError(
            "too-busy",
            "The server's disk is full",
            "It can store nothing until there is room in its data folder.",
            "Try again later, or tell whoever runs this server.",
        ) from error


def _forget_connections_in_children(engine: Engine) -> None:
    """A connection shared over a fork corrupts both sides: the child opens its own (gunicorn --preload)."""
    reference = weakref.ref(engine)

    def forget() -> None:
        if (alive := reference()) is not None:
            alive.dispose(close=False)

    os.register_at_fork(after_in_child=forget)
