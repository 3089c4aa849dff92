"""The exported program that a graph is of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Graphs recorded before have none."""
    op.add_column("graphs", sa.Column("program", sa.LargeBinary))
