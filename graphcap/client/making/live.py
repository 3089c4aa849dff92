"""`graphcap.capture(model, *args, **kwargs)`: live objects, in this process, on the device they are on."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import time
from typing import Any, Literal

from graphcap.client.captured import Capture
from graphcap.client.making.gathering import Gathering
from graphcap.client.making.progress import Progress
from graphcap.client.making.running import own_folder
from graphcap.errors import UserError
from graphcap.graph.document import RUN_STAGES, File, Options, StageId
from graphcap.intake.names import safe_path
from graphcap.intake.options import decode_options

WRITTEN = "live.py"
"""The file of a capture whose code is in no file."""


def capture(
    model: Any,
    *args: Any,
    graphcap_mode: Literal["as_written", "train", "eval"] = "as_written",
    graphcap_stages: tuple[StageId, ...] = RUN_STAGES,
    graphcap_decompositions: Literal["none", "core_aten"] = "none",
    graphcap_partitioner: Literal["min_cut", "default"] = "min_cut",
    graphcap_dynamic_shapes: Any = None,
    graphcap_parameter_statistics: bool = False,
    graphcap_programs: str | os.PathLike[str] = "",
    graphcap_progress: bool | None = None,
    **kwargs: Any,
) -> Capture:
    """Captures what torch makes of `model(*args, **kwargs)` at every stage. `model`: a module, a function or a program.

    The model is called for it, several times; buffers, gradients, modes and random numbers are put back as they were. What
    torch.compile had compiled in this process is forgotten and compiled anew when next called. All other keywords are the
    model's: those of graphcap begin with `graphcap_`. `graphcap_programs`: a folder for the exported programs with their
    weights, `export.0.pt2` and `core_aten.0.pt2`, which are not in the capture. `graphcap_parameter_statistics`: min, max,
    mean and more of each parameter and buffer are in the capture; their values never are. `graphcap_progress`: None shows it
    on a terminal. A stage that fails says so in the capture. TypeError: `model` can not be called, or graphcap has no such
    keyword; ValueError: a keyword of graphcap has no such value.
    """
    from graphcap.capture import live  # torch, which is loaded here already

    if unknown := [name for name in kwargs if name.startswith("graphcap_")]:
        raise TypeError(f"graphcap.capture has no keyword {unknown[0]}: {', '.join(_KEYWORDS)}")
    options = _options(
        mode=graphcap_mode,
        stages=list(graphcap_stages),
        decompositions=graphcap_decompositions,
        partitioner=graphcap_partitioner,
        parameter_statistics=graphcap_parameter_statistics,
    )
    users = {path: safe_path(name) for path, name in live.source_files(model, _caller()).items()}
    begun = time.monotonic()
    with Progress(graphcap_progress, options.stages) as progress:
        gathering = Gathering(options, progress.heard)
        live.capture_live(
            model,
            args,
            kwargs,
            dynamic_shapes=graphcap_dynamic_shapes,
            options=options,
            users=users,
            tell=gathering.take,
            programs_to=own_folder(graphcap_programs),
        )
    files = [_file(path, name) for path, name in users.items()] or [File(WRITTEN, 0, "")]
    return Capture(gathering.capture("py", files, time.monotonic() - begun, "", 0))


_KEYWORDS = tuple(name for name in inspect.signature(capture).parameters if name.startswith("graphcap_"))


def _options(**given: object) -> Options:
    try:
        return decode_options(given)
    except UserError as error:
        raise ValueError(f"graphcap.capture: {error.detail} {error.hint}") from None


def _caller() -> tuple[str, ...]:
    """The file that calls graphcap: example inputs and small functions are written there."""
    from graphcap.capture.fx.frames import OURS  # with torch, as above

    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    return (frame.f_code.co_filename,)


def _file(path: str, name: str) -> File:
    """Its text as Python knows it: a notebook's cell is in no file."""
    text = "".join(linecache.getlines(path))
    return File(name, len(text.encode(errors="replace")), text)
