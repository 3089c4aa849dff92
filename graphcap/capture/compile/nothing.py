"""Why there is no graph at all, in torch's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphcap.capture.compile.listen import Heard
from graphcap.capture.failures import rename
from graphcap.graph.document import Break

MAX_FRAMES = 5  # of the frames Dynamo looked at and left alone

_HEAD = "Dynamo captured no graph"


def nothing_captured(breaks: Sequence[Break], heard: Heard, users: Mapping[str, str]) -> str:
    """The reason of a stage that is skipped because Dynamo skipped every frame."""
    if breaks:
        first = breaks[0]
        frame = next((frame for frame in reversed(first.frames) if frame.user), None)
        place = f" ({frame.file}, line {frame.line})" if frame else ""
        why = f"{first.reason}{place}" + (f": {first.explanation}" if first.explanation else "")
        return f"{_HEAD}: it skipped the whole function and left it to eager Python. {why}"
    if heard.frames:
        return f"{_HEAD}. " + "\n".join(rename(text, users).strip() for text in heard.frames[:MAX_FRAMES])
    return (
        f"{_HEAD}: there was no Python code it may trace. The target is a builtin or compiled function, "
        "or is excluded from tracing (torch.compiler.disable)."
    )
