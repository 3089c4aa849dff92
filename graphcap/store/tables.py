"""The tables. Changing one needs a migration in `migrations/versions`; a test holds both against each other.

JSON of the document is kept as bytes, not as text: it may hold NUL, which PostgreSQL's text refuses.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={"uq": "uq_%(table_name)s_%(column_0_name)s", "fk": "fk_%(table_name)s_%(column_0_name)s"}
)


def _capture_key() -> Column[int]:
    """The capture a row belongs to and disappears with."""
    return Column("capture", ForeignKey("captures.number", ondelete="CASCADE"), primary_key=True, nullable=False)


captures = Table(
    "captures",
    metadata,
    Column("number", Integer, primary_key=True),  # order of arrival: the queue's order
    Column("id", Text, nullable=False),
    Column("token_hash", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("entry", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("options", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),  # seconds since 1970, UTC; so are the next two
    Column("started", Double),
    Column("finished", Double),
    Column("torch", Text, nullable=False, default=""),
    Column("failures", LargeBinary, nullable=False, default=b"[]"),
    Column("log", Text, nullable=False, default=""),
    Column("log_bytes", Integer, nullable=False, default=0),
    Column("log_cut", Integer, nullable=False, default=0),
    Column("revision", Integer, nullable=False, default=1),
    Column("attempts", Integer, nullable=False, default=0),
    Column("cancel_requested", Boolean, nullable=False, default=False),
    # The capture whose files, targets, stages, graphs and answers this one shows as its own, because the same was submitted.
    Column("shared", ForeignKey("captures.number")),
    Column("reuse_key", Text, nullable=False, default=""),  # what was run, under which versions; "": not to be shared
    UniqueConstraint("id"),
    sqlite_autoincrement=True,  # a number is never used twice: rows of a deleted capture can not be taken for another's
)
Index("ix_captures_status", captures.c.status, captures.c.number)
Index("ix_captures_reuse_key", captures.c.reuse_key)
Index("ix_captures_shared", captures.c.shared)

files = Table(
    "files",
    metadata,
    _capture_key(),
    Column("position", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

targets = Table(
    "targets",
    metadata,
    _capture_key(),
    Column("id", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),  # JSON of the Target without stages
)

stages = Table(
    "stages",
    metadata,
    _capture_key(),
    Column("target", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("breaks", Integer, nullable=False, default=0),
    Column("guards", Integer, nullable=False, default=0),
    Column("summary", LargeBinary, nullable=False),  # JSON of the Stage without graphs, breaks, guards
    Column("detail", LargeBinary, nullable=False),  # zlib, JSON of the Stage without graphs
)

graphs = Table(
    "graphs",
    metadata,
    _capture_key(),
    Column("gid", Text, primary_key=True),
    Column("target", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("fragment", Integer, nullable=False),
    Column("title", LargeBinary, nullable=False),  # UTF-8
    Column("nodes", Integer, nullable=False),
    Column("edges", Integer, nullable=False),
    Column("inference", Boolean, nullable=False),
    Column("parent", Text, nullable=False),
    Column("variant", Text, nullable=False, default=""),
    Column("recompile", Integer, nullable=False, default=0),
    Column("replay", LargeBinary),  # JSON of the Replay, once there is one
    Column("body", LargeBinary, nullable=False),  # zlib, JSON of the Graph without its replay
    Column("program", LargeBinary),  # the exported program that the graph is of, as a .pt2 file without weights
)

rendered = Table(
    "rendered",
    metadata,
    _capture_key(),
    Column("key", Text, primary_key=True),
    Column("version", Text, nullable=False),
    Column("etag", Text, nullable=False),
    Column("gzip", LargeBinary, nullable=False),
)

arrivals = Table(
    "arrivals",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("sender", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("capture", ForeignKey("captures.number", ondelete="SET NULL")),  # deleting does not make room for more
    sqlite_autoincrement=True,
)
Index("ix_arrivals_sender", arrivals.c.sender, arrivals.c.at)
Index("ix_arrivals_capture", arrivals.c.capture)

tallies = Table(
    "tallies",
    metadata,
    Column("metric", Text, primary_key=True),
    Column("label", Text, primary_key=True),
    Column("value", Double, nullable=False),
)
