"""The modules that pages start as workers, and what these import.

A page names them all in its head (`modulepreload`): found one import after the other, each would wait behind the page's own
modules, and nothing can be drawn before the worker has laid it out.
"""

from __future__ import annotations

from collections.abc import Mapping

from graphcap.web.bundles.module import read

WORKERS = ("js/layout/worker.js",)


def modules(texts: Mapping[str, str]) -> tuple[str, ...]:
    """The workers and all they import, as it is found. `texts` are the files below `static/` by their paths."""
    found = dict.fromkeys(path for path in WORKERS if path in texts)
    waiting = list(found)
    for path in waiting:
        new = [each.path for each in read(path, texts[path]).imports if each.path not in found]
        found.update(dict.fromkeys(new))
        waiting.extend(dict.fromkeys(new))
    return tuple(found)
