"""Graphs that a fragment has besides its own, and what running a graph gave."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Graphs recorded before have no replay, and their variants stay unsaid."""
    op.add_column("graphs", sa.Column("variant", sa.Text, nullable=False, server_default=""))
    op.add_column("graphs", sa.Column("recompile", sa.Integer, nullable=False, server_default="0"))
    op.add_column("graphs", sa.Column("replay", sa.LargeBinary))
