"""The person's line behind a failure that torch reports without one: tracing a derivative, or running a generated graph."""

from __future__ import annotations

import linecache
import re
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from traceback import FrameSummary

import msgspec
import torch.fx
from torch._dynamo import exc

from graphcap.capture.compile.breaks import break_frames
from graphcap.capture.failures import failure_of
from graphcap.capture.fx.frames import parse_trace
from graphcap.graph.document import Failure, Frame

_ANOMALY = "Traceback of forward call that caused the error"  # of torch.autograd.detect_anomaly, which AOTAutograd uses
_GENERATED = "<eval_with_key>"
_ASSIGNED = re.compile(r"^\s*(\w+)\s*(?::[^=]*)?= ")


@contextmanager
def anomalies() -> Iterator[list[str]]:
    """Collects autograd's reports of which forward call a failing derivative belongs to; other warnings go their way."""
    found: list[str] = []
    with warnings.catch_warnings():
        show = warnings.showwarning

        def hear(message: Warning | str, *rest: object, **more: object) -> None:
            if _ANOMALY in str(message):
                found.append(str(message))
            else:
                show(message, *rest, **more)  # type: ignore[arg-type]

        warnings.showwarning = hear
        yield found


def failure_in(error: BaseException, users: Mapping[str, str], how: str = "") -> Failure:
    """The exception as a failure; a line inside a resume function of Dynamo's is one of the function it resumes."""
    failure = failure_of(error, users, how=how)
    if failure.frame is None:
        return failure
    function = exc.remove_resume_prefix(failure.frame.function)
    return _with_frame(failure, msgspec.structs.replace(failure.frame, function=function))


def traced_failure(
    failure: Failure, anomaly: Sequence[str], ends: Sequence[FrameSummary], users: Mapping[str, str]
) -> Failure:
    """`failure` with the line of the forward call whose derivative failed, else the line the fragment ends at."""
    said = [text.split(" Traceback of", 1)[0].strip() for text in anomaly]
    failure = msgspec.structs.replace(failure, hints=tuple(dict.fromkeys((*said, *failure.hints))))
    if failure.frame is not None:
        return failure
    candidates = [*[parse_trace(text, users) for text in anomaly], break_frames(ends, users)]
    return _with_frame(failure, next(filter(None, map(_user_frame, candidates)), None))


def run_failure(
    failure: Failure, error: BaseException, graphs: Sequence[torch.fx.Graph], users: Mapping[str, str]
) -> Failure:
    """`failure` with the line of the node that failed when a generated graph ran."""
    if failure.frame is not None:
        return failure
    for name in _failing_names(error):
        for graph in graphs:
            node = next((node for node in graph.nodes if node.name == name), None)
            if node is not None and (frame := _user_frame(parse_trace(node.meta.get("stack_trace") or "", users))):
                return _with_frame(failure, frame)
    return failure


def _failing_names(error: BaseException) -> Iterator[str]:
    """The variables that generated code was assigning when the exception passed through, innermost first."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        path = frame.f_code.co_filename
        if path.startswith(_GENERATED) and (match := _ASSIGNED.match(linecache.getline(path, line, frame.f_globals))):
            yield match[1]


def _user_frame(frames: Sequence[Frame]) -> Frame | None:
    return next((frame for frame in reversed(frames) if frame.user), None)


def _with_frame(failure: Failure, frame: Frame | None) -> Failure:
    return msgspec.structs.replace(failure, frame=frame)
