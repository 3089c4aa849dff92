"""File names from strangers, made safe to create in a folder and to show."""

from __future__ import annotations

import re
import unicodedata

MAX_STEM = 80  # characters: what a page can show on one line
MAX_DEPTH = 16  # folders in each other


def safe_name(raw: str, suffix: str, default: str = "model") -> str:
    """A plain file name ending in `suffix`: no folders, no leading dots, letters, digits, `_`, `-` and `.` only."""
    stem = _text(re.split(r"[/\\]", raw)[-1])
    if stem.lower().endswith(suffix):
        stem = stem[: -len(suffix)]
    stem = re.sub(r"[^\w.\-]+", "_", stem).strip("._-")[:MAX_STEM]
    return (_cut(stem, 200) or default) + suffix


def safe_path(raw: str) -> str:
    """A relative path with `/`, of at most `MAX_DEPTH` folders, without `..`, leading dots or dashes: `pkg/__init__.py`."""
    parts = [part for part in re.split(r"[/\\]", raw) if part.strip(". ") and not re.fullmatch(r"[A-Za-z]:", part)]
    return "/".join(_safe_part(part) for part in [*parts[:-1][:MAX_DEPTH], *parts[-1:]]) or "file"


def _safe_part(raw: str) -> str:
    stem, dot, suffix = re.sub(r"[^\w.\-]+", "_", _text(raw)).lstrip(".-").rpartition(".")
    if not dot:
        stem, suffix = suffix, ""
    return (_cut(stem[:MAX_STEM], 180) or "file") + dot + _cut(suffix[:20], 40)


def _text(raw: str) -> str:
    return unicodedata.normalize("NFC", raw.encode(errors="replace").decode())


def _cut(text: str, size: int) -> str:
    """At most `size` bytes of it: file systems allow 255."""
    while len(text.encode()) > size:
        text = text[:-1]
    return text
