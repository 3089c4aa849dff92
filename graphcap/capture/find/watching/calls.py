"""The calls of a script that are targets, as they are seen while it runs."""

from __future__ import annotations

import dataclasses
import linecache
import signal
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import torch
from torch.utils import _pytree as pytree

from graphcap.capture.alarms import AGAIN_SECONDS, importing
from graphcap.capture.fx.frames import OURS, make_frame
from graphcap.capture.target.loaded import Arguments
from graphcap.graph.document import Frame

MAX_CALLS = 16  # each becomes a target of several routes; a loop that exports hundreds of models is cut here
MAX_LATER = 4  # further calls of one compiled function, each with inputs of another form
IDLE_SECONDS = 20  # a training loop goes on for hours; what it compiles is seen in its first steps

FORWARD = "forward"
"""Stands for a module that the script just calls."""

COMPILED = ("torch.compile", "aot_function", "aot_module")
"""Those that wrap a function: a target by the function's first call, whatever line calls it again."""


class StillRunning(BaseException):
    """Ends a script that has long made no new call. Not an Exception: the script must not catch it."""


@dataclasses.dataclass
class Recorded:
    """One call: what was called with what, and from which line."""

    api: str  # torch.export.export, torch.export.draft_export, torch.compile, aot_function, make_fx, ...
    model: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    options: Mapping[str, Any]
    frame: Frame | None
    replaced: str = ""  # the backend that was replaced
    training: tuple[tuple[torch.nn.Module, bool], ...] = ()  # modes of the submodules at the time of the call
    later: list[Arguments] = dataclasses.field(default_factory=list)  # of calls with inputs of another form
    backward: Frame | None = None  # the line that ran a backward of it


class Watch:
    """The calls seen so far. `left_out` counts those beyond MAX_CALLS.

    `eager`: modules that the script just calls are noted in `called`, until it exports or compiles anything.
    """

    def __init__(self, users: Mapping[str, str], *, eager: bool = False) -> None:
        self.users = users
        self.eager = eager
        self.called: list[Recorded] = []
        self.when_compiling: Callable[[], None] = lambda: None
        self.calls: list[Recorded] = []
        self.left_out = 0
        self.open = False
        self._seen: dict[tuple[object, ...], Recorded | None] = {}
        self._forms: set[tuple[object, ...]] = set()
        self._held: list[Any] = []  # what was seen stays alive, so that its id stays its own
        self.dressed: list[tuple[torch.nn.Module, type]] = []  # compiled modules that note their calls, with their own class

    def add(self, api: str, model: Any, args: Any, kwargs: Any, options: Mapping[str, Any], replaced: str = "") -> None:
        """Records the first call of `model` from the line that is calling now, and what it is called with later."""
        if not self.open:
            return
        frame = calling_frame(self.users)
        place = () if api in COMPILED else (frame and frame.file, frame and frame.line)
        key = (api, id(model), *place)
        if key in self._seen:
            self._called_again(key, args, kwargs)
            return
        self._held.append(model)
        self._seen[key] = None
        if len(self.calls) >= MAX_CALLS:
            self.left_out += 1
            return
        modes = tuple((m, m.training) for m in model.modules()) if isinstance(model, torch.nn.Module) else ()
        call = Recorded(api, model, tuple(args), dict(kwargs), dict(options), frame, replaced, modes)
        self._seen[key] = call
        self._forms.add((*key, form_of(args, kwargs)))
        self.calls.append(call)
        self._wait_for_more()

    def note_module(self, call: Recorded) -> None:
        """A module that the script calls."""
        self.called.append(call)
        self._wait_for_more()

    def compiling(self) -> None:
        """Something is exported or compiled, by whomever."""
        if self.eager:
            self.eager = False
            self.when_compiling()

    def _called_again(self, key: tuple[object, ...], args: Any, kwargs: Any) -> None:
        call = self._seen[key]
        if call is None or call.api not in COMPILED or len(call.later) >= MAX_LATER:
            return
        form = (*key, form_of(args, kwargs))
        if form not in self._forms:
            self._forms.add(form)
            call.later.append((tuple(args), dict(kwargs)))
            self._wait_for_more()

    def _wait_for_more(self) -> None:
        """Ends the script in IDLE_SECONDS if no call comes; only where the alarm is heard, as it ends a process else."""
        if signal.getsignal(signal.SIGALRM) == self.stop_waiting:
            signal.setitimer(signal.ITIMER_REAL, IDLE_SECONDS, AGAIN_SECONDS)

    def stop_waiting(self, number: int = 0, frame: FrameType | None = None) -> None:
        """What the alarm does: raises in the script."""
        if not importing(frame, self.users):
            raise StillRunning(f"it ran on for {IDLE_SECONDS} s without a new call, so what it called by then is captured")


def form_of(args: Any, kwargs: Any) -> tuple[object, ...]:
    """What guards look at in the inputs of a call: equal forms are compiled once."""
    leaves, spec = pytree.tree_flatten((args, kwargs))
    return (str(spec), *(_form(leaf) for leaf in leaves))


def _form(leaf: Any) -> object:
    if isinstance(leaf, torch.Tensor):
        return (tuple(leaf.shape), leaf.dtype, leaf.device, leaf.requires_grad)
    return repr(leaf) if isinstance(leaf, int | float | str | None) else type(leaf)


def calling_frame(users: Mapping[str, str]) -> Frame | None:
    """The innermost line of the person's own files that is running now."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(OURS) and code.co_filename in users:
            text = linecache.getline(code.co_filename, frame.f_lineno).strip()
            return make_frame(code.co_filename, frame.f_lineno, code.co_name, text, users)
        frame = frame.f_back  # type: ignore[assignment]
    return None


def called_by_person(users: Mapping[str, str]) -> bool:
    """torch calls these itself (torch.cond, flex_attention); only Module.compile does so in the person's name."""
    frame = sys._getframe(2)
    if frame.f_code.co_name == "compile" and frame.f_code.co_filename == torch.nn.modules.module.__file__ and frame.f_back:
        frame = frame.f_back
    return frame.f_code.co_filename in users
