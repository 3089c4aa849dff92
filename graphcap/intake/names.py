"""File names from strangers, made safe to create in a folder and to show."""

from __future__ import annotations

import re
import unicodedata

MAX_STEM = 80  # characters: what a page can show on one line


def safe_name(raw: str, suffix: str, default: str = "model") -> str:
    """A plain file name ending in `suffix`: no folders, no leading dots, letters, digits, `_`, `-` and `.` only."""
    last = re.split(r"[/\\]", raw)[-1]
    stem = unicodedata.normalize("NFC", last.encode(errors="replace").decode())
    if stem.lower().endswith(suffix):
        stem = stem[: -len(suffix)]
    stem = re.sub(r"[^\w.\-]+", "_", stem).strip("._-")[:MAX_STEM]
    while len(stem.encode()) > 200:  # file systems allow 255 bytes
        stem = stem[:-1]
    return (stem or default) + suffix
