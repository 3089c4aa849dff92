"""The viewer's modules as one list, for a page that can load no files.

Modules of a page opened from disk cannot import each other by path. So each becomes a `blob:` address, which the modules
that import it have to name: imported ones come first, and every specifier is replaced by `MARK` and the path it means.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from graphcap.web.assets import Asset

MARK = "kept-module:"
"""Stands before a path where the page puts the module's address."""

SPECIFIER = re.compile(
    r"""^[ \t]*(?:import|export)\b[^'";]*?\bfrom\s*['"](?P<named>[^'"]+)['"]"""  # may run over several lines
    r"""|^[ \t]*import\s*['"](?P<bare>[^'"]+)['"]"""
    r"""|\bawait import\(\s*['"](?P<late>[^'"]+)['"]""",
    re.MULTILINE,
)


class CircleError(Exception):
    """Two modules import each other, directly or through others."""


def bundled(files: Mapping[str, Asset], entry: str) -> list[tuple[str, str]]:
    """Path and text of `entry` (a path below `static/`) and of everything it imports, what is imported first.

    Raises KeyError where an import names no file, CircleError where imports run in a circle.
    """
    made: dict[str, str] = {}
    begun: list[str] = []
    pending = [entry]
    while pending:
        path = pending[-1]
        if path in made:
            pending.pop()
            continue
        text = files[path].content.decode()
        missing = [name for name in _imports(path, text) if name not in made]
        if not missing:
            made[path] = SPECIFIER.sub(lambda match, path=path: _marked(path, match), text)  # type: ignore[misc]
            pending.pop()
            if begun and begun[-1] == path:
                begun.pop()
            continue
        if path not in begun:
            begun.append(path)
        if circle := [name for name in missing if name in begun]:
            raise CircleError(f"{path} imports {circle[0]}, which imports it")
        pending.extend(missing)
    return list(made.items())


def _imports(path: str, text: str) -> Iterator[str]:
    for match in SPECIFIER.finditer(text):
        yield _named(path, match)[1]


def _named(path: str, match: re.Match[str]) -> tuple[str, str]:
    """The group that holds the specifier, and the path it names."""
    group = str(match.lastgroup)
    return group, posixpath.normpath(posixpath.join(posixpath.dirname(path), match[group]))


def _marked(path: str, match: re.Match[str]) -> str:
    group, target = _named(path, match)
    start, end = match.start(group) - match.start(), match.end(group) - match.start()
    return f"{match[0][:start]}{MARK}{target}{match[0][end:]}"
