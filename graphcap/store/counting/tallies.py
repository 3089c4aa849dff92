"""Tallies: numbers that only grow, whatever is deleted; for /metrics. Each is raised in the transaction it counts.

metric           label                   value
captures         `done ok`               captures that ended so: status, outcome
stages           `export done`           stages that ended so
stage-seconds    `export done`           the seconds they took together
stage-bucket     `export done 0.5`       how many took at most so long, and more than the bound before
kills            `timeout`               runs that the jail ended
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from graphcap.graph.document import Stage
from graphcap.store.tables import tallies

BOUNDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, float("inf"))
"""Seconds. A stage takes 0.1 s warm and small; the longest a route may take is 120 s as the settings stand."""

MOST_SECONDS = 3600.0  # the capture process says it, which may lie: one of 1e308 would spoil the sum for good


def add(connection: Connection, metric: str, label: str, amount: float = 1.0) -> None:
    """Raises a tally."""
    insert = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert
    row = insert(tallies).values(metric=metric, label=label, value=amount)
    raised = {"value": tallies.c.value + row.excluded.value}
    connection.execute(row.on_conflict_do_update(index_elements=["metric", "label"], set_=raised))


def capture_ended(connection: Connection, status: str, outcome: str) -> None:
    """One more capture with this status, that ended by this outcome."""
    add(connection, "captures", f"{status} {outcome}")


def stage_ended(connection: Connection, stage: Stage) -> None:
    """One more stage, and how long it took where it says so."""
    label = f"{stage.id} {stage.status}"
    add(connection, "stages", label)
    if stage.seconds is not None:
        seconds = min(stage.seconds, MOST_SECONDS)
        add(connection, "stage-seconds", label, seconds)
        add(connection, "stage-bucket", f"{label} {next(bound for bound in BOUNDS if seconds <= bound):g}")


def by_labels(metric: str, tallies: Mapping[tuple[str, str], float]) -> dict[tuple[str, ...], float]:
    """The values of one metric by their labels, in order."""
    return {tuple(label.split(" ")): value for (name, label), value in sorted(tallies.items()) if name == metric}


def read(connection: Connection) -> Mapping[tuple[str, str], float]:
    """Every tally by (metric, label)."""
    return {(row.metric, row.label): row.value for row in connection.execute(select(tallies))}
