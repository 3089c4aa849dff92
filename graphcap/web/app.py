"""The application factory."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from graphcap.jobs import runner as jobs
from graphcap.settings import MIB, Settings, from_environment
from graphcap.store.captures import Store
from graphcap.web import api, assets, charts, headers, openapi, operator, pages, problems
from graphcap.web.admission import at_once
from graphcap.web.admission.at_once import AnswersAtOnce
from graphcap.web.api import stopping
from graphcap.web.bundles.styles import STYLES
from graphcap.web.operator import log
from graphcap.web.outline import page as outline
from graphcap.web.recent import RecentGraphs
from graphcap.web.requests import EncodedSlashes, GidConverter, Request
from graphcap.web.services import EXTENSION, Services
from graphcap.web.standalone import file

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE if (PACKAGE / "templates").is_dir() else PACKAGE.parent
"""Where `templates` and `static` lie: in the package once it is installed, beside it in a checkout."""

FORM_OVERHEAD = MIB  # multipart framing, options and names around a file of the largest size
FIELD_BYTES = 256 * 1024  # a form field that is no file: options with 20,000 characters of inputs, escaped


def create_app(settings: Settings | None = None, *, with_runner: bool = True) -> Flask:
    """The app, its database brought up to date. `with_runner=False`: captures are only stored, never run."""
    settings = settings or from_environment()
    log.show()
    app = Flask("graphcap", root_path=str(ROOT), static_folder=None, template_folder="templates")
    app.request_class = Request
    app.config.update(MAX_CONTENT_LENGTH=settings.upload_mib * MIB + FORM_OVERHEAD, MAX_FORM_MEMORY_SIZE=FIELD_BYTES)
    app.url_map.converters["gid"] = GidConverter
    app.wsgi_app = EncodedSlashes(app.wsgi_app)  # type: ignore[method-assign]
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    store = Store(settings.sqlalchemy_url)
    store.migrate()
    runner = jobs.start(settings, store) if with_runner else None
    static = assets.read(ROOT / "static", STYLES, whole=app.debug)
    recent = RecentGraphs()
    streams = AnswersAtOnce(settings.client_streams, at_once.too_many_streams)
    files = AnswersAtOnce(at_once.FILES, at_once.too_many_files)
    looks = AnswersAtOnce(at_once.LOOKS, at_once.too_many_looks)
    app.extensions[EXTENSION] = Services(settings, store, runner, static, stopping.watch(), recent, streams, files, looks)
    rooms = (*api.BLUEPRINTS, *charts.BLUEPRINTS, *operator.BLUEPRINTS)
    for blueprint in (*rooms, file.blueprint, openapi.blueprint, pages.blueprint, outline.blueprint):
        app.register_blueprint(blueprint)
    headers.install(app)
    problems.install(app)
    return app
