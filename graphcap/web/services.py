"""What views need beside the request: one value per app."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from flask import current_app

from graphcap.jobs.runner import Runner
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.web.admission.at_once import AnswersAtOnce
from graphcap.web.assets import Assets
from graphcap.web.recent import RecentGraphs

EXTENSION = "graphcap"


@dataclasses.dataclass(frozen=True)
class Services:
    """Settings, the store, this process's runner (None: captures are not run here), the static files, whether it stops,
    graphs decoded lately, event streams that are open, HTML files that are being written, submissions that are looked at."""

    settings: Settings
    store: Store
    runner: Runner | None
    assets: Assets
    stopping: Callable[[], bool]
    recent: RecentGraphs
    streams: AnswersAtOnce
    files: AnswersAtOnce
    looks: AnswersAtOnce


def services() -> Services:
    """Those of the app that serves the current request."""
    found: Services = current_app.extensions[EXTENSION]
    return found
