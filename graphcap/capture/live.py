"""A capture of live objects in a person's own process: `graphcap.capture(model, *args, **kwargs)`. No fork, no jail.

Each route starts from the same state: what the one before wrote into buffers, inputs, gradients, attributes and random
numbers is put back. torch._dynamo is reset in between, so what the process had compiled is compiled anew when it is next
called.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec.structs
import torch
import torch._dynamo

from graphcap.capture.failures import failure_of
from graphcap.capture.find.modules import uncompiled
from graphcap.capture.find.signature import in_code, needed, required
from graphcap.capture.find.targets import title_of
from graphcap.capture.fx.frames import make_frame
from graphcap.capture.process.emit import MAX_NOTE
from graphcap.capture.record import Recorder
from graphcap.capture.replay.start import NotRestored, Start
from graphcap.capture.routes import RUN
from graphcap.capture.stages.route import Later
from graphcap.capture.target.loaded import Loaded
from graphcap.capture.target.tensors import measured_of, named_tensors
from graphcap.graph.check import check_stage
from graphcap.graph.codec import DocumentError
from graphcap.graph.document import ROUTES, Failure, Options, Route, Stage, StageId, Target
from graphcap.graph.stream import Added, Bye, Ended, Found, Hello, Message, Started

Tell = Callable[[Message], None]

RULE = "a live object, captured in its own process"


def capture_live(
    model: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    *,
    dynamic_shapes: Any,
    options: Options,
    users: Mapping[str, str],
    tell: Tell,
    programs_to: str = "",
) -> None:
    """Says by `tell` what the worker of a server would say. `users`: absolute path -> name of the person's own files.
    `programs_to`: a folder that gets the exported programs with their weights; "": none.

    A program that is given no inputs is called with those it carries. Raises TypeError where `model` can not be called, or
    not without inputs. What torch and the model raise fails a stage.
    """
    program = model if isinstance(model, torch.export.ExportedProgram) else None
    if program is not None and not args and not kwargs and program.example_inputs is not None:
        args, kwargs = program.example_inputs
    model = program.module() if program is not None else uncompiled(model)
    if wrong := _not_called(model, bool(args or kwargs)):
        raise TypeError(f"graphcap.capture: {wrong}")
    title = "ExportedProgram" if program is not None else title_of(model)
    target = Loaded("t1", title, model, args, dict(kwargs), dynamic_shapes, program=program, programs_to=programs_to)
    tell(Hello(str(torch.__version__)))
    tell(Found((Target(target.id, title, RULE),)))
    with _as_it_was(target, options):
        for route in RUN:
            if wanted := tuple(stage for stage in options.stages if stage in ROUTES[route]):
                _run(route, target, options, users, _Teller(tell, target.id, wanted))
    tell(Bye())


def _not_called(model: Any, given: bool) -> str:
    """Why it can not be captured so, and what to do; "" where it can. `given`: whether there are any inputs."""
    if isinstance(model, type):
        return f"{model.__name__} is a class; make an instance of it: {model.__name__}(...)"
    if isinstance(model, str | os.PathLike):
        return "a file is captured by the command: graphcap capture FILE"
    if isinstance(model, Mapping):
        return "weights hold no graph; load them into the model (load_state_dict), and capture that"
    if not callable(model):
        return f"{type(model).__name__} is neither a module, a function nor an ExportedProgram"
    names = [name for name in required(model) if not name.startswith("*")]
    if given or not names:
        return ""
    tensors = ", ".join(in_code(model, needed(model, names)).values())
    return f"the model needs inputs ({', '.join(names)}), such as graphcap.capture(model, {tensors})"


_CELL = re.compile(r"ipykernel_\d+[/\\]\d+\.py$")  # Jupyter names a cell after a number of its content


def source_files(model: Any, callers: Sequence[str]) -> dict[str, str]:
    """The person's own files among those that the classes of `model` come from: absolute path -> a name of its own."""
    found = [*_files_of(uncompiled(model)), *callers]
    names: dict[str, str] = {}
    for path in dict.fromkeys(path for path in found if make_frame(path, 1, "", "", {}).file and not _is_library(path)):
        base = "cell.py" if _CELL.search(path) else os.path.basename(path.replace("<", "").replace(">", ""))
        stem, suffix = os.path.splitext(base or "cell.py")
        name, number = f"{stem}{suffix or '.py'}", 2
        while name in names.values():
            name, number = f"{stem}_{number}{suffix or '.py'}", number + 1
        names[path] = name
    return names


def _files_of(model: Any) -> Iterator[str]:
    owners = dict.fromkeys(map(type, model.modules())) if isinstance(model, torch.nn.Module) else [model]
    for owner in owners:
        function = getattr(owner, "forward", owner)
        code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
        if code is not None:
            yield code.co_filename


def _is_library(path: str) -> bool:
    parts = path.replace(os.sep, "/")
    return "/site-packages/" in parts or "/dist-packages/" in parts or path.startswith(os.path.dirname(torch.__file__))


class _Teller:
    """`Emit` by a function; each stage wanted is said once."""

    def __init__(self, tell: Tell, target: str, wanted: Sequence[StageId]) -> None:
        self._tell = tell
        self._target = target
        self._left = list(wanted)
        self._said: set[StageId] = set()
        self._timer = _Timer()

    @property
    def left(self) -> tuple[StageId, ...]:
        return tuple(self._left)

    def started(self, stage: StageId) -> None:
        self._timer.restart()
        if stage in self._left:
            self._tell(Started(self._target, stage))

    def ended(self, stage: Stage) -> None:
        if stage.id in self._left:
            self._left.remove(stage.id)
            self._said.add(stage.id)
            self._tell(Ended(self._target, self._timer.timed(_readable(stage, self._target))))
        self._timer.restart()

    def added(self, added: Added) -> None:
        if added.stage in self._said:
            self._tell(added)


def _readable(stage: Stage, target: str) -> Stage:
    try:
        check_stage(stage, target)
        return stage
    except DocumentError as error:
        failure = Failure("unreadable", f"what was captured could not be written down: {error}")
        return Stage(stage.id, "failed", seconds=stage.seconds, failures=(*stage.failures[:16], failure))


class _Timer:
    """Seconds since the last start or end."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self._since = time.monotonic()

    def timed(self, stage: Stage) -> Stage:
        if stage.seconds is not None or stage.status == "skipped":
            return stage
        return msgspec.structs.replace(stage, seconds=round(time.monotonic() - self._since, 4))


def _run(route: Route, target: Loaded, options: Options, users: Mapping[str, str], emit: _Teller) -> None:
    start = Start(target)
    later: Sequence[Later] = ()
    try:
        torch._dynamo.reset()
        measured = measured_of(target.model) if options.parameter_statistics else None
        later = RUN[route](target, options, Recorder(users, target.model, measured), emit)
    except Exception as error:
        for stage in emit.left:
            emit.ended(Stage(stage, "failed", failures=(failure_of(error, users),)))
    for stage in emit.left:
        emit.ended(Stage(stage, "skipped", reason=f"the route {route} gave nothing for it"))
    for work in later:
        try:
            work.do()
        except Exception as error:
            note = f"{type(error).__name__} while {work.doing}: {error}"[:MAX_NOTE]
            emit.added(Added(target.id, work.stage, notes=(note,)))
    try:
        start.restore()
    except NotRestored as error:
        note = f"the model is not as it was before the route {route}: {error}"[:MAX_NOTE]
        emit.added(Added(target.id, ROUTES[route][-1], notes=(note,)))


@contextlib.contextmanager
def _as_it_was(target: Loaded, options: Options) -> Iterator[None]:
    """Modes, gradients and random numbers of the GPUs are the person's own again afterwards."""
    module = target.model if isinstance(target.model, torch.nn.Module) else torch.nn.Module()
    modes = [(each, each.training) for each in module.modules()]
    gradients = [(each, each.grad) for each in _leaves(target)]
    compiled = getattr(module, "_compiled_call_impl", None)
    with torch.random.fork_rng(), warnings.catch_warnings():
        # torch's own, from copying pytrees; it says nothing about the person's code
        warnings.filterwarnings("ignore", message=r"`isinstance\(treespec, LeafSpec\)` is deprecated")
        try:
            if target.program is None:
                module._compiled_call_impl = None  # model.compile(): routes compile it themselves
                if options.mode != "as_written":
                    module.train(options.mode == "train")
            yield
        finally:
            module._compiled_call_impl = compiled
            for each, training in modes:
                each.training = training
            for tensor, gradient in gradients:
                tensor.grad = gradient
            torch._dynamo.reset()


def _leaves(target: Loaded) -> Iterator[torch.Tensor]:
    return (tensor for tensor, _ in named_tensors(target) if tensor.is_leaf and tensor.requires_grad)
