"""Where Dynamo stopped, as `Break`s in order, each place once for every fragment that ends there.

Dynamo creates a reason for every break it compiles up to (also where there was nothing to compile), hands a fragment the
reason it ends with, logs the long form, and gives up whole frames with an exception. These are put together here.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from traceback import FrameSummary

import msgspec
from torch._dynamo import exc
from torch._dynamo.output_graph import GraphCompileReason

from graphcap.capture.compile.listen import Heard
from graphcap.capture.failures import exception_text, rename
from graphcap.capture.fx.frames import OURS, make_frame
from graphcap.graph.document import Break, Frame

_EXPLANATION = re.compile(r"^  Explanation: (.*?)(?=^  Hint: |^  Developer debug context: |\Z)", re.M | re.S)
_HINT = re.compile(r"^  Hint: (.*?)(?=^  Hint: |^  Developer debug context: |\Z)", re.M | re.S)
_PREFIX = re.compile(
    r"\A(?:Encountered graph break when attempting to trace|Failed to handle graph break gracefully)[^\n]*:\n\n"
)

MAX_LEFT_ALONE = 5  # frames named when there is nothing else to say
_NO_GRAPH = "Dynamo captured no graph"


@dataclasses.dataclass(frozen=True)
class _Stop:
    at: float  # orders stops: index of the reason, or half a step before the one that came next
    reason: str
    text: str
    stack: Sequence[FrameSummary]
    before: int  # fragments captured when it happened that end here or earlier
    ends: bool = False  # a fragment ends here


def breaks(
    reasons: Sequence[GraphCompileReason],
    ends: Sequence[GraphCompileReason],
    compiled: Sequence[int],
    heard: Heard,
    users: Mapping[str, str],
) -> tuple[Break, ...]:
    """`reasons`: all there were; `ends[i]`: the one fragment i ends with; `compiled[i]`: how many there were by then."""
    stops = [_reason_stop(k, reason, ends, compiled, heard) for k, reason in enumerate(reasons)]
    for skipped in heard.skipped:
        text = getattr(skipped.error, "msg", None) or exception_text(skipped.error)
        stack = getattr(skipped.error, "real_stack", None) or ()
        stops.append(_Stop(skipped.moment.reasons - 0.5, _first_line(text), text, stack, skipped.moment.fragments))
    return _each_once([(stop, _break(stop, len(ends), users)) for stop in sorted(stops, key=lambda stop: stop.at)])


def _each_once(stops: Sequence[tuple[_Stop, Break]]) -> tuple[Break, ...]:
    """One break for a stop of the outer frame and those of the frames it called, from outside to inside.

    A stop at the same place that comes from further out, or ends a fragment once more, is the place run again (by another
    module of the class, or compiled anew): a break of its own where it ends a fragment.
    """
    found: list[tuple[bool, Break]] = []
    depth = 0  # frames of the last stop
    for stop, one in stops:
        same = bool(found) and _same(found[-1][1], one)
        again = len(one.frames) > depth or (len(one.frames) == depth and stop.ends)
        if same and not again:
            ended, last = found[-1]
            if len(one.frames) < depth or last.before is None:
                last = msgspec.structs.replace(last, before=one.before, after=one.after)
            found[-1] = (ended or stop.ends, last)
        else:
            found.append((stop.ends, one))
        depth = len(one.frames)
    known: list[Break] = []
    for ends, one in found:
        if ends or not any(_same(other, one) for other in known):
            known.append(one)
    return tuple(known)


def _reason_stop(
    k: int, reason: GraphCompileReason, ends: Sequence[GraphCompileReason], compiled: Sequence[int], heard: Heard
) -> _Stop:
    own = next((i for i, end in enumerate(ends) if end is reason), None)
    before = own + 1 if own is not None else next((i for i, count in enumerate(compiled) if count > k), len(ends))
    text = reason.reason
    if not _EXPLANATION.search(text):  # `generic_jump TensorVariable()`: the explanation went to the log only
        said = [message for moment, message in heard.breaks if moment.reasons == k]
        text = "\n\n".join([text, *said[-1:]])
    return _Stop(k, _first_line(reason.reason), text, reason.user_stack, before, own is not None)


def _break(stop: _Stop, fragments: int, users: Mapping[str, str]) -> Break:
    text = rename(stop.text, users)
    return Break(
        reason=rename(stop.reason, users),
        explanation="\n".join(_parts(_EXPLANATION, text)),
        hints=tuple(dict.fromkeys(_parts(_HINT, text))),
        kind=_kind(text),
        frames=tuple(break_frames(stop.stack, users)),
        before=stop.before - 1 if stop.before else None,
        after=stop.before if stop.before < fragments else None,
        text=text,
    )


def _same(first: Break, second: Break) -> bool:
    """The break met again: from inside the function whose call the outer frame stopped at, or as the frame is given up."""
    tail = first.frames[-len(second.frames) :] if second.frames else ()
    return first.kind == second.kind and first.reason == second.reason and tail == second.frames


def _kind(text: str) -> str:
    """torch's gb_type: the line above the first explanation."""
    head = _EXPLANATION.search(text)
    lines = [line for line in text[: head.start()].split("\n") if line and not line.startswith(" ")] if head else []
    return lines[-1] if lines else ""


def _parts(pattern: re.Pattern[str], text: str) -> list[str]:
    return [re.sub(r"\n    ", "\n", match[1]).strip() for match in pattern.finditer(text)]


def _first_line(text: str) -> str:
    return _PREFIX.sub("", text).strip().split("\n", 1)[0]


def break_frames(stack: Iterable[FrameSummary], users: Mapping[str, str]) -> list[Frame]:
    """A stack of Dynamo's as frames, outermost first; functions under their own names, not those of resume functions."""
    return [
        make_frame(
            frame.filename, frame.lineno or 1, exc.remove_resume_prefix(frame.name) or frame.name, _code(frame), users
        )
        for frame in stack
        if not frame.filename.startswith(OURS)
    ]


def _code(frame: FrameSummary) -> str:
    return (frame.line or "").strip()


def given_up(heard: Heard, users: Mapping[str, str]) -> tuple[str, ...]:
    """A note for each of the person's functions of which Dynamo made no graph although it made some of others."""
    notes = []
    for skipped in heard.skipped:
        frame = make_frame(skipped.path, skipped.line, exc.remove_resume_prefix(skipped.function), "", users)
        part = "" if frame.function == skipped.function else "the rest of "
        text = getattr(skipped.error, "msg", None) or exception_text(skipped.error)
        if frame.user:
            notes.append(
                f"Dynamo left {part}{frame.function} ({frame.file}, line {frame.line}) to eager Python as a whole; "
                f"functions it calls are captured on their own. {_first_line(text)}"
            )
    return tuple(dict.fromkeys(notes))


def nothing_captured(stops: Sequence[Break], heard: Heard, users: Mapping[str, str]) -> str:
    """The reason of a stage that is skipped because Dynamo skipped every frame."""
    if stops:
        first = stops[0]
        frame = next((frame for frame in reversed(first.frames) if frame.user), None)
        place = f" ({frame.file}, line {frame.line})" if frame else ""
        why = f"{first.reason}{place}" + (f": {first.explanation}" if first.explanation else "")
        return f"{_NO_GRAPH}: it skipped the whole function and left it to eager Python. {why}"
    if heard.frames:
        return f"{_NO_GRAPH}. " + "\n".join(rename(text, users).strip() for text in heard.frames[:MAX_LEFT_ALONE])
    return (
        f"{_NO_GRAPH}: there was no Python code it may trace. The target is a builtin or compiled function, "
        "or is excluded from tracing (torch.compiler.disable)."
    )
