"""The static files: served under `/static/VERSION/...`, where VERSION names the content of them all, and kept for good.

The version stands in front of the whole path, so a module's relative imports change their addresses with it. Our own scripts
and style sheets go out without their comments; those of others, in `vendor`, as they are.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import brotli  # type: ignore[import-untyped]

from graphcap.web.bundles import workers
from graphcap.web.bundles.stripped import stripped, stripped_sheet
from graphcap.web.bundles.styles import joined

MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
}
"""What is served, by suffix. Not taken from the system: with `nosniff` a wrong type breaks the page."""

STRIPPED = {".js": stripped, ".css": stripped_sheet}
"""By suffix, what leaves the comments out."""

COMPRESSED = {".js", ".mjs", ".css", ".svg", ".json", ".txt", ".md"}


QUALITY = 7  # of brotli's 11: all files in a tenth of a second, the best would take two


@dataclasses.dataclass(frozen=True)
class Asset:
    """One file: its media type, its bytes (gzip and brotli bytes too where that pays), its ETag."""

    media_type: str
    content: bytes
    gzip: bytes | None
    brotli: bytes | None
    etag: str


@dataclasses.dataclass(frozen=True)
class Assets:
    """Every file by its path below `static/`, and the version that names them all."""

    version: str
    files: Mapping[str, Asset]
    workers: tuple[str, ...] = ()
    """Paths of what the workers of a page consist of."""

    @property
    def base(self) -> str:
        """The address they stand under."""
        return f"/static/{self.version}"


def read(folder: Path, styles: Iterable[str] = (), *, whole: bool = False) -> Assets:
    """All files of the folder in memory, and joined `styles`: a few megabytes, read once. `whole`: with their comments."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix in MEDIA_TYPES and path.is_file() and "node_modules" not in path.parts:
            name = path.relative_to(folder).as_posix()
            files[name] = asset(path.read_bytes() if whole else _sent(path, name), path.suffix)
    texts = {name: each.content.decode() for name, each in files.items() if name.endswith(".css")}
    for sheet in styles:
        files[sheet] = asset(joined(texts, sheet).encode(), ".css")
    scripts = {name: each.content.decode() for name, each in files.items() if name.endswith(".js")}
    digest = hashlib.sha256("".join(f"{name}\0{each.etag}\0" for name, each in files.items()).encode())
    return Assets(digest.hexdigest()[:12], files, workers.modules(scripts))


def _sent(path: Path, name: str) -> bytes:
    less = None if name.startswith("vendor/") else STRIPPED.get(path.suffix)
    return less(path.read_text(encoding="utf-8")).encode() if less else path.read_bytes()


def asset(content: bytes, suffix: str) -> Asset:
    """A file of these bytes, whose name ends so."""
    squeezed = gzip.compress(content, 6, mtime=0) if suffix in COMPRESSED else None
    smaller = brotli.compress(content, mode=brotli.MODE_TEXT, quality=QUALITY) if suffix in COMPRESSED else None
    return Asset(MEDIA_TYPES[suffix], content, squeezed, smaller, hashlib.sha256(content).hexdigest()[:16])
