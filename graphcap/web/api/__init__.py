"""The JSON API (docs/api.md). One blueprint per file; `BLUEPRINTS` is the table of them."""

from __future__ import annotations

from graphcap.web.api import captures, events, gallery, graphs, server
from graphcap.web.api.joined import links, mirror, story, traces
from graphcap.web.api.sent import documents, looking, submissions

BLUEPRINTS = (
    submissions.blueprint,
    documents.blueprint,
    looking.blueprint,
    captures.blueprint,
    events.blueprint,
    graphs.blueprint,
    links.blueprint,
    traces.blueprint,
    mirror.blueprint,
    story.blueprint,
    gallery.blueprint,
    server.blueprint,
)
