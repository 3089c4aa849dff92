"""GET /metrics in Prometheus' text format.

Everything comes from the database and the runner's word, so that each worker process gives the same answer, and neither
a restart nor a deleted capture takes anything back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from flask import Blueprint, Response
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

import graphcap
from graphcap.jobs.jailstate import kept
from graphcap.jobs.versions import torch_version
from graphcap.store.counting.tallies import BOUNDS, by_labels
from graphcap.web.operator import health
from graphcap.web.services import Services, services

blueprint = Blueprint("metrics", __name__)


@blueprint.get("/metrics")
def metrics() -> Response:
    """What is now, and what was counted since the database was made."""
    text = generate_latest(_Moment([*_present(services()), *_counted(services().store.tallies())]))
    return Response(text, content_type=CONTENT_TYPE_PLAIN_0_0_4, headers={"Cache-Control": "no-store"})


class _Moment(Collector):
    """Metrics that were read already."""

    def __init__(self, found: list[Metric]) -> None:
        self._found = found

    def collect(self) -> Iterable[Metric]:
        return self._found


def _present(found: Services) -> Iterator[Metric]:
    counts, state, settings = found.store.counts(), kept(found.settings), found.settings
    tiers = [] if state.tier is None else [state.tier]
    labels = [("version", graphcap.__version__), ("torch", torch_version() or "")]
    yield _gauge("graphcap_info", "Versions.", tuple(name for name, _ in labels), {tuple(text for _, text in labels): 1})
    yield _labelled("graphcap_jail_tier", "The jail's tier: namespaces, landlock or none.", "tier", dict.fromkeys(tiers, 1))
    yield _labelled("graphcap_zygotes", "Processes that captures are forked from.", "status", health.zygotes(state))
    yield _labelled("graphcap_captures_stored", "Captures in the database.", "status", counts)
    for name, help, value in (
        ("graphcap_queue_length", "Captures that wait.", counts.get("queued", 0)),
        ("graphcap_queue_limit", "Captures that may wait.", settings.queue),
        ("graphcap_running", "Captures that run.", counts.get("running", 0)),
        ("graphcap_slots", "Captures that may run at once.", settings.slots),
    ):
        yield _gauge(name, help, (), {(): value})


def _counted(tallies: Mapping[tuple[str, str], float]) -> Iterator[Metric]:
    yield _counter("graphcap_captures", "Captures that ended.", ("status", "outcome"), by_labels("captures", tallies))
    yield _counter("graphcap_stages", "Stages that ended.", ("stage", "status"), by_labels("stages", tallies))
    yield _counter("graphcap_jail_kills", "Captures that the jail ended.", ("reason",), by_labels("kills", tallies))
    seconds = HistogramMetricFamily("graphcap_stage_seconds", "Time a stage took.", labels=("stage", "status"))
    for labels, total in by_labels("stage-seconds", tallies).items():
        below, buckets = 0.0, []
        for bound in BOUNDS:
            below += tallies.get(("stage-bucket", f"{' '.join(labels)} {bound:g}"), 0.0)
            buckets.append((str(bound).replace("inf", "+Inf"), below))
        seconds.add_metric(labels, buckets, total)
    yield seconds


def _labelled(name: str, help: str, label: str, values: Mapping[str, float]) -> Metric:
    return _gauge(name, help, (label,), {(key,): value for key, value in values.items()})


def _gauge(name: str, help: str, labels: tuple[str, ...], values: dict[tuple[str, ...], float]) -> Metric:
    return _filled(GaugeMetricFamily(name, help, labels=labels), values)


def _counter(name: str, help: str, labels: tuple[str, ...], values: dict[tuple[str, ...], float]) -> Metric:
    return _filled(CounterMetricFamily(name, help, labels=labels), values)


def _filled(family: GaugeMetricFamily | CounterMetricFamily, values: dict[tuple[str, ...], float]) -> Metric:
    for key, value in values.items():
        family.add_metric(key, value)
    return family
