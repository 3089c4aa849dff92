"""The viewer's scripts for a page that can load no files: each bundle whole, and what it imports from beside itself."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

import msgspec

from graphcap.web.assets import Asset
from graphcap.web.bundles.bundle import FOLDER, bundle

PAGE = "js/standalone/start.js"
WORKER = "js/layout/worker.js"

APART = re.compile(r'^((?:import \* as \$m\d+ from |\$m\d+ = await import\())"([^"]+)"(?=\)?;$)', re.MULTILINE)
"""How a bundle imports what stays a file of its own, at once or late."""

MARK = "kept:"
"""Stands before a path where the page is to put that file's address."""


class Scripts(msgspec.Struct, frozen=True):
    """`page` is a module that imports `MARK` and a path of `apart`; `worker` is a classic script, as it imports nothing."""

    page: str
    apart: dict[str, str]
    worker: str


def scripts(files: Mapping[str, Asset]) -> Scripts:
    """Those of the files below `static/`."""
    texts = {name: each.content.decode() for name, each in files.items() if name.endswith(".js")}
    page, worker = bundle(texts, PAGE), bundle(texts, WORKER)
    assert not APART.search(worker), "a worker of a page opened from disk can import nothing"
    beside: dict[str, str] = {}

    def marked(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(f"{FOLDER}/{PAGE}"), match[2]))
        beside[path] = texts[path]
        return f'{match[1]}"{MARK}{path}"'

    return Scripts(APART.sub(marked, page), beside, worker)
