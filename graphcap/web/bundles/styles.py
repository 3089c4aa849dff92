"""Style sheets that the page of a capture needs from the start, joined into one file in their order."""

from __future__ import annotations

from collections.abc import Mapping

STYLES = {
    "css/capture.joined.css": tuple(
        f"css/{name}.css"
        for name in ("find", "capture", "rail", "pane", "side", "graph", "mirror", "story", "replay", "out", "narrow")
    )
}
"""By path, beside the sheets it holds, so that what they name by `url(...)` is found. A later sheet has the last word."""


def joined(texts: Mapping[str, str], path: str) -> str:
    """The text of a joined sheet. `texts` are the files below `static/` by their paths."""
    return "".join(f"/* {part} */\n{texts[part]}" for part in STYLES[path])
