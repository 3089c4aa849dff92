"""Alembic's entry: migrates over the connection it is given, inside that connection's transaction."""

from __future__ import annotations

from alembic import context

from graphcap.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite can not alter a column in place
    transactional_ddl=True,  # SQLite can, once the driver leaves transactions alone
)
context.run_migrations()
