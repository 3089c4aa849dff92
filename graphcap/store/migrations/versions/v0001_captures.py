"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _capture() -> sa.Column[int]:
    return sa.Column("capture", sa.Integer, sa.ForeignKey("captures.number", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    """Makes every table."""
    _captures()
    _parts()


def _captures() -> None:
    op.create_table(
        "captures",
        sa.Column("number", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("id", "token_hash", "status", "kind", "entry", "sha256")),
        sa.Column("options", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("started", sa.Double),
        sa.Column("finished", sa.Double),
        sa.Column("torch", sa.Text, nullable=False),
        sa.Column("failures", sa.LargeBinary, nullable=False),
        sa.Column("log", sa.Text, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("log_bytes", "log_cut", "revision", "attempts")),
        sa.Column("cancel_requested", sa.Boolean, nullable=False),
        sa.UniqueConstraint("id", name="uq_captures_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_captures_status", "captures", ["status", "number"])


def _parts() -> None:
    op.create_table(
        "files",
        _capture(),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "targets",
        _capture(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "stages",
        _capture(),
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("target", "id")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("position", "breaks", "guards")),
        *(sa.Column(name, sa.LargeBinary, nullable=False) for name in ("summary", "detail")),
    )
    op.create_table(
        "graphs",
        _capture(),
        sa.Column("gid", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("target", "stage", "parent")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("position", "fragment", "nodes", "edges")),
        sa.Column("inference", sa.Boolean, nullable=False),
        *(sa.Column(name, sa.LargeBinary, nullable=False) for name in ("title", "body")),
    )
    op.create_table(
        "rendered",
        _capture(),
        sa.Column("key", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("version", "etag")),
        sa.Column("gzip", sa.LargeBinary, nullable=False),
    )
