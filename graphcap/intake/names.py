"""File names from strangers, made safe to create in a folder and to show."""

from __future__ import annotations

import re
import unicodedata

MAX_STEM = 80  # characters: what a page can show on one line
MAX_BYTES = 200  # of a stem in UTF-8: file systems allow 255 with what follows it
NOTEBOOK = ".ipynb"
MAX_DEPTH = 16  # folders in each other


def safe_name(raw: str, suffix: str) -> str:
    """A plain file name ending in `suffix`: no folders, no leading dots, letters, digits, `_`, `-` and `.` only."""
    stem = _text(re.split(r"[/\\]", raw)[-1])
    if stem.lower().endswith(suffix):
        stem = stem[: -len(suffix)]
    stem = re.sub(r"[^\w.\-]+", "_", stem).strip("._-")
    return (_cut(stem, suffix) or "model") + suffix


def safe_path(raw: str) -> str:
    """A relative path with `/`, of at most `MAX_DEPTH` folders, without `..`, leading dots or dashes: `pkg/__init__.py`."""
    parts = [part for part in re.split(r"[/\\]", raw) if part.strip(". ") and not re.fullmatch(r"[A-Za-z]:", part)]
    return "/".join(_safe_part(part) for part in [*parts[:-1][:MAX_DEPTH], *parts[-1:]]) or "file"


def _safe_part(raw: str) -> str:
    stem, dot, suffix = re.sub(r"[^\w.\-]+", "_", _text(raw)).lstrip(".-").rpartition(".")
    if not dot:
        stem, suffix = suffix, ""
    suffix = _in_bytes(suffix[:20], 40)
    return (_cut(stem, dot + suffix) or "file") + dot + suffix


def _text(raw: str) -> str:
    return unicodedata.normalize("NFC", raw.encode(errors="replace").decode())


def _cut(stem: str, suffix: str) -> str:
    """As long as it may be. The whole name of a notebook is a stem, too: its code lies beside it as `STEM.ipynb.py`."""
    spare = len(NOTEBOOK) if suffix.lower() == NOTEBOOK else 0
    return _in_bytes(stem[: MAX_STEM - spare], MAX_BYTES - spare)


def _in_bytes(text: str, size: int) -> str:
    while len(text.encode()) > size:
        text = text[:-1]
    return text
