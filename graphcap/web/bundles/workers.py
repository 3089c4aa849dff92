"""Scripts of workers, each with all that it imports: one request, where its modules would wait behind those of the page."""

from __future__ import annotations

from collections.abc import Mapping

from graphcap.web.bundles.bundle import bundle

WORKERS = ("js/layout/worker.js",)
"""Modules that pages start as workers."""


def joined(files: Mapping[str, str]) -> dict[str, str]:
    """What is sent in place of each. `files` are the texts below `static/` by their paths."""
    return {path: bundle(files, path) for path in WORKERS if path in files}
