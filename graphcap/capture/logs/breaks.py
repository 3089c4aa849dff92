"""Where Dynamo stopped, from the text it logs for each graph break."""

from __future__ import annotations

import re

from graphcap.capture.logs.paths import Paths
from graphcap.graph.document import Break, Frame

_EXPLANATION = re.compile(
    r"^  Explanation: (.*?)(?=^  Hint: |^  Developer debug context: |^ For more details|\Z)", re.M | re.S
)
_HINT = re.compile(r"^  Hint: (.*?)(?=^  Hint: |^  Developer debug context: |^ For more details|\Z)", re.M | re.S)
_REASON = re.compile(r"^Graph Break Reason: (.*)$", re.M)
_KIND = re.compile(r"^(?:Graph Break Reason: )?(.*)\n  Explanation: ", re.M)
_PLACE = re.compile(r"^Graph break in user code at (.*):(\d{1,9})$", re.M)
MAX_TEXT = 20_000


def break_of(text: str, paths: Paths, before: int | None, after: int | None) -> Break:
    """One graph break between two fragments."""
    text = text.strip()[:MAX_TEXT]
    kind = _first(_KIND, text)
    first = next((line for line in text.split("\n") if line.strip()), "")
    return Break(
        reason=kind or _first(_REASON, text) or first[:500],
        explanation="\n".join(_parts(_EXPLANATION, text)),
        hints=tuple(dict.fromkeys(_parts(_HINT, text))),
        kind=kind,
        frames=tuple(_frames(text, paths)),
        before=before,
        after=after,
        text=_renamed(text, paths),
    )


def _frames(text: str, paths: Paths) -> list[Frame]:
    """Of the traceback, to the line at which it stopped; of the head line where there is none."""
    user = text.split("User code traceback:", 1)[1] if "User code traceback:" in text else ""
    frames = paths.traceback(user.split("\nTraceback (most recent call last)", 1)[0])  # after it come torch's own
    place = _PLACE.search(text)
    if frames or place is None:
        return frames
    return [paths.frame(place[1], int(place[2]))]


def _renamed(text: str, paths: Paths) -> str:
    """The text with the names that are shown in place of paths."""
    names = {match: paths.name(match)[0] for match in re.findall(r'(?:File "|user code at )(/[^":\n]+)', text)}
    for path in sorted(names, key=len, reverse=True):
        text = text.replace(path, names[path])
    return text


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1].strip() if found else ""


def _parts(pattern: re.Pattern[str], text: str) -> list[str]:
    head = text.split("User code traceback:", 1)[0]
    return [re.sub(r"\n    ", "\n", match[1]).strip() for match in pattern.finditer(head)]
