"""The JSON API (docs/api.md). One blueprint per file; `BLUEPRINTS` is the table of them."""

from __future__ import annotations

from graphcap.web.api import captures, documents, events, gallery, graphs, looking, submissions
from graphcap.web.api.joined import links, mirror, story, traces

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
)
