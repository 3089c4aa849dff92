"""Captures that share what the same submission gave before, who sent what lately, and tallies that outlive captures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Captures made before are shared with nobody: nothing says how their runs ended."""
    # Alembic would add the reference in a statement of its own, which SQLite does not have.
    op.execute("ALTER TABLE captures ADD COLUMN shared INTEGER REFERENCES captures(number)")
    op.add_column("captures", sa.Column("reuse_key", sa.Text, nullable=False, server_default=""))
    op.create_index("ix_captures_reuse_key", "captures", ["reuse_key"])
    op.create_index("ix_captures_shared", "captures", ["shared"])
    op.create_table(
        "arrivals",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("capture", sa.Integer, sa.ForeignKey("captures.number", ondelete="SET NULL")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_arrivals_sender", "arrivals", ["sender", "at"])
    op.create_index("ix_arrivals_capture", "arrivals", ["capture"])
    op.create_table(
        "tallies",
        sa.Column("metric", sa.Text, primary_key=True),
        sa.Column("label", sa.Text, primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
    )
