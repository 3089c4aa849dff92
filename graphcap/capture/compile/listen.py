"""Hears what Dynamo and AOTAutograd say beside their results: why a graph breaks, which frames are skipped, warnings.

While listening nothing of it is printed: the person's log holds what the person's code prints.
"""

from __future__ import annotations

import dataclasses
import logging
import os
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

import torch
from torch._dynamo import eval_frame
from torch._dynamo.utils import graph_break_reasons

from graphcap.graph.document import Break

MAX_NOTES = 20  # a warning in a loop must not fill the document
MAX_NOTE = 4_000  # characters of one warning
_BREAKS = ".__graph_breaks"
_FRAMES = "torch._dynamo.convert_frame"
_GIVEN_UP = re.compile(r"WON'T CONVERT (\S+) (.*) line (\d+)")
_SAID = "Graph Break Reason: "
_ENDS = ("\n\nUser code traceback:", "\n\nStack variable source attribution:")
_TORCH = os.path.dirname(torch.__file__) + os.sep
_SKIPFILES = "frame is in the Dynamo skipfiles list"  # torch's own functions, never traced as frames


@dataclasses.dataclass(frozen=True)
class Moment:
    """When something was heard: how many fragments, and how many of Dynamo's reasons to break, there were by then."""

    fragments: int
    reasons: int


@dataclasses.dataclass(frozen=True)
class Skipped:
    """A function that Dynamo gave up as a whole, and why."""

    moment: Moment
    error: BaseException
    function: str
    path: str
    line: int


@dataclasses.dataclass
class Heard:
    """What was said, in order."""

    now: Callable[[], Moment]
    breaks: list[tuple[Moment, str]] = dataclasses.field(default_factory=list)  # torch's message of each break
    skipped: list[Skipped] = dataclasses.field(default_factory=list)
    warnings: list[str] = dataclasses.field(default_factory=list)
    frames: list[str] = dataclasses.field(default_factory=list)  # "forward (file.py:3): why no code was made of it"

    def notes(self, stops: Sequence[Break]) -> tuple[str, ...]:
        """The warnings a person should see, without those that say what a break says."""
        told = (text for text in self.warnings if not text.startswith("Graph break"))
        new = (text for text in told if not any(text.split("\n", 1)[0] in stop.text for stop in stops))
        return tuple(dict.fromkeys(text[:MAX_NOTE] for text in new))[:MAX_NOTES]


class _Ear(logging.Handler):
    def __init__(self, heard: Heard) -> None:
        super().__init__(logging.DEBUG)
        self._heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.name.endswith(_BREAKS):
            if _SAID in text:
                self._heard.breaks.append((self._heard.now(), _message(text)))
        elif record.name == _FRAMES and record.exc_info and record.exc_info[1] is not None:
            named = _GIVEN_UP.match(text)
            function, path, line = (named[1], named[2], int(named[3])) if named else ("", "", 1)
            self._heard.skipped.append(Skipped(self._heard.now(), record.exc_info[1], function, path, line))
        elif record.levelno >= logging.WARNING:
            self._heard.warnings.append(text.strip())


def _message(text: str) -> str:
    """The message of the break alone, without the preamble and the stack above Dynamo."""
    text = text.split(_SAID, 1)[1]
    for end in _ENDS:
        text = text.split(end, 1)[0]
    return text.strip()


@contextmanager
def listening(fragments: Callable[[], int]) -> Iterator[Heard]:
    """Listens until the block ends. `fragments` says how many have been captured so far."""
    heard = Heard(lambda: Moment(fragments(), len(graph_break_reasons)))
    ear = _Ear(heard)
    changed = [(logger, logger.level, logger.propagate, logger.handlers) for logger in _loggers()]
    for logger, _, _, _ in changed:
        logger.handlers = [ear]
        logger.propagate = False
        if logger.name.endswith(_BREAKS):
            logger.setLevel(logging.DEBUG)
        elif logger.name == _FRAMES:
            logger.setLevel(logging.INFO)
    eval_frame.reset_skip_reasons()
    try:
        with _warnings_heard(heard):
            yield heard
    finally:
        heard.frames = [text for text in eval_frame.get_skip_reasons() if _SKIPFILES not in text]
        for logger, level, propagate, handlers in changed:
            logger.setLevel(level)
            logger.propagate = propagate
            logger.handlers = handlers


@contextmanager
def _warnings_heard(heard: Heard) -> Iterator[None]:
    """Warnings that torch itself issues while it compiles; others are printed as ever."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def hear(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if filename.startswith(_TORCH):
                heard.warnings.append(str(message).strip())
            else:
                show(message, category, filename, lineno, file, line)

        warnings.showwarning = hear
        yield


def _loggers() -> list[logging.Logger]:
    """torch's loggers that print, those of graph breaks, and the one that says which frames are given up."""
    known = [logger for logger in logging.root.manager.loggerDict.values() if isinstance(logger, logging.Logger)]
    mine = [logger for logger in known if logger.name == "torch" or logger.name.startswith("torch.")]
    wanted = [logger for logger in mine if logger.handlers or logger.name.endswith(_BREAKS)]
    return [*wanted, *(logger for logger in [logging.getLogger(_FRAMES)] if logger not in wanted)]
