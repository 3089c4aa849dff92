"""Any exception as a `Failure`: torch's or Python's own words, the person's line, what torch says to try, the trace."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping
from typing import Any

from torch.utils._traceback import shorten_filename

from graphcap.capture.advice.known import advice_on
from graphcap.capture.fx.frames import OURS, make_frame, parse_trace
from graphcap.capture.fx.values import safe_text
from graphcap.graph.document import Failure, Frame

MAX_MESSAGE = 20_000  # characters; torch's guard messages list every symbol and reach 10,000
MAX_TRACE = 30_000
_HIDDEN = (OURS, "<frozen ")

_HINT = re.compile(r"^\s*Hint:\s*(.*)$")
_BLOCK = re.compile(r"^(Suggested fixes:|To fix the error, insert one of the following checks.*|To resolve this.*)$")
_PLEASE = re.compile(r"\bPlease use .*?(?:\.(?=\s|$)|$)")
_NO_MEMORY = re.compile(r"can't allocate memory|Cannot allocate memory|out of memory", re.IGNORECASE)


def failure_of(error: BaseException, users: Mapping[str, str], how: str = "", hints: tuple[str, ...] = ()) -> Failure:
    """`users` maps absolute paths to submitted names; `how` says which attempt failed; `hints` go before torch's own."""
    message = rename(exception_text(error), users)
    frame = user_frame(error, users)
    return Failure(
        type=outcome(error),
        message=message[:MAX_MESSAGE],
        how=how,
        frame=frame,
        hints=tuple(dict.fromkeys((*hints, *_own_hints(error, message, frame), *torch_hints(message)))),
        trace=rename(trace_text(error), users)[-MAX_TRACE:],
    )


def outcome(error: BaseException) -> str:
    """The exception's class, or `memory-limit` where the memory allowed ran out."""
    if isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and _NO_MEMORY.search(safe_text(error, MAX_MESSAGE))
    ):
        return "memory-limit"
    return type(error).__name__


def exception_text(error: BaseException) -> str:
    """What the exception says; for those that say nothing by themselves, what they mean."""
    if isinstance(error, SystemExit):
        code = "" if error.code is None else safe_text(repr(error.code))
        return f"the code called sys.exit({code})"
    if isinstance(error, KeyboardInterrupt):
        return "the code raised KeyboardInterrupt"
    if isinstance(error, SyntaxError):
        return error.msg or "invalid syntax"
    if isinstance(error, MemoryError) and not error.args:
        return "there is no memory left"
    return safe_text(error, MAX_MESSAGE) or f"{type(error).__name__} without a message"


def trace_text(error: BaseException) -> str:
    """The traceback as Python prints it, without our own frames and Python's for starting and importing."""
    try:
        report = traceback.TracebackException.from_exception(error, compact=True)
        for part in _chain(report):
            part.stack = traceback.StackSummary.from_list([f for f in part.stack if not f.filename.startswith(_HIDDEN)])
        return "".join(report.format())
    except Exception as broken:  # the exception's own __str__ may raise
        return f"the traceback could not be printed: {type(broken).__name__}"


def _chain(report: traceback.TracebackException) -> Iterator[traceback.TracebackException]:
    pending, seen = [report], set()
    while pending:
        part = pending.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        pending.extend(p for p in (part.__cause__, part.__context__) if p is not None)


def user_frame(error: BaseException, users: Mapping[str, str]) -> Frame | None:
    """The person's innermost line, from the best of: torch's own user stack, the text "from user code", the traceback."""
    for part in (error, error.__cause__, error.__context__):
        if part is None:
            continue
        for frames in _frames_of(part, users):
            found = [frame for frame in frames if frame.user]
            if found:
                return found[-1]
    return None


def _frames_of(error: BaseException, users: Mapping[str, str]) -> Iterator[list[Frame]]:
    if isinstance(error, SyntaxError) and error.filename:
        yield [make_frame(error.filename, error.lineno or 1, "", (error.text or "").strip(), users)]
    summary: Any = getattr(error, "real_stack", None) or ()
    yield [make_frame(f.filename, f.lineno or 1, f.name, (f.line or "").strip(), users) for f in summary]
    yield parse_trace(safe_text(error, MAX_MESSAGE), users)
    stack = traceback.extract_tb(error.__traceback__)
    yield [make_frame(f.filename, f.lineno or 1, f.name, (f.line or "").strip(), users) for f in stack]


def rename(text: str, users: Mapping[str, str]) -> str:
    """Absolute paths of the work folder become the submitted names, also as torch shortens them (`ob/code/model.py`)."""
    for path, name in users.items():
        text = text.replace(path, name).replace(shorten_filename(path), name)  # type: ignore[no-untyped-call]
    return text


def torch_hints(message: str) -> list[str]:
    """The advice inside torch's message: its `Hint:` lines, its suggested fixes, "Please use ..." sentences."""
    found: list[str] = []
    lines = message.split("\n")
    for i, line in enumerate(lines):
        if match := _HINT.match(line):
            found.append(match[1].strip())
        elif _BLOCK.match(line.strip()):
            found.append("\n".join([line.strip(), *_block(lines[i + 1 :])]))
        elif match := _PLEASE.search(line):
            found.append(match[0])
    return [hint for hint in found if hint]


def _block(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith((" ", "\t")) and not re.match(r"^\d+\.", line):
            return
        yield line.strip()


def _own_hints(error: BaseException, message: str, frame: Frame | None) -> tuple[str, ...]:
    if outcome(error) == "memory-limit":
        return (
            "The memory a capture may take ran out. Make the tensors smaller, or capture on the meta device (option meta).",
        )
    return advice_on(error, message, frame)
