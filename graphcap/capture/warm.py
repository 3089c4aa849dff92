"""What a zygote loads: torch, warmed by tiny models that go every way a capture goes, and what it runs for a capture.

A first capture in a process imports and compiles for seconds; after `warm` a fork of the process has that behind it. Nothing
of the tiny models is left for the captures: no module, cache, operator, random state, printed line or folder.
"""

from __future__ import annotations

import copy
import linecache
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import msgspec
import numpy
import torch
import torch._dynamo
from torch._dynamo import bytecode_transformation
from torch._logging import _internal as torch_logging
from torch._logging import structured
from torch.fx import graph_module

from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.signature import SEED
from graphcap.capture.find.submission import load_submission
from graphcap.capture.record import Recorder
from graphcap.capture.routes import RUN
from graphcap.capture.shortcuts import guards_untimed, look_up_once, no_thread_beside
from graphcap.capture.worker import capture, one_thread
from graphcap.graph.check import check_stage
from graphcap.graph.document import Options, Stage, StageId
from graphcap.graph.stream import Added, Ended, Request, frame

CALL = """
import torch
class Sum(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x).sum()
torch.export.export(Sum(), (torch.randn(4),))
"""

NAMED = """
import torch
from torch import nn
class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(8, 8)
        self.block = nn.TransformerEncoderLayer(8, 2, 8, batch_first=True)
        self.conv = nn.Sequential(nn.Conv1d(4, 4, 1), nn.BatchNorm1d(4), nn.ReLU())
        self.head = nn.Linear(8, 8)
    def forward(self, ids):
        x = self.conv(self.block(self.embed(ids)))
        {line}
        return nn.functional.cross_entropy(self.head(x).flatten(0, 1), ids.flatten())
model = Tiny()
example_args = (torch.arange(8).reshape(2, 4),)
dynamic_shapes = {shapes}
"""

MODELS = {
    "call": CALL,
    "named": NAMED.format(line="pass", shapes="None"),
    "cond": NAMED.format(
        line="x = torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,))",
        shapes="({0: torch.export.Dim('n')},)",
    ),
    "breaks": NAMED.format(line="print(); x = x if x.sum() > 0 else -x", shapes="None"),  # a fragment, and a refused export
}
"""What is captured: one for each way through the code that loads modules or compiles on its first time."""


def warm() -> None:
    """Once, in a process that is forked for captures afterwards; it has one thread then. Raises what went wrong."""
    one_thread()
    look_up_once()
    guards_untimed()
    no_thread_beside()
    failed: list[BaseException] = []
    # In a thread of its own: autograd numbers its nodes per thread (`seq_nr`), and a capture's begin at 0.
    thread = threading.Thread(target=_warm, args=(failed,))
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def _warm(failed: list[BaseException]) -> None:
    try:
        with _leaving_no_trace():
            for name, code in MODELS.items():
                with tempfile.TemporaryDirectory() as folder:
                    path = Path(folder, f"graphcap_warms_up_{name}.py")
                    path.write_text(code)
                    _go_every_way(path)
    except BaseException as error:
        failed.append(error)


def run(request: bytes, folder: Path, result_fd: int, give_up_processes: Callable[[], None]) -> int:
    """One capture, in a fork; see `graphcap.sandbox.zygote`. `request` is a `graphcap.graph.stream.Request`, JSON."""
    asked = msgspec.json.decode(request, type=Request)
    return capture(asked, folder / "code", result_fd, give_up_processes)


class _Nowhere:
    """An `Emit` that does with a stage what is done before it is sent."""

    def started(self, stage: StageId) -> None:
        """Nobody listens."""

    def ended(self, stage: Stage) -> None:
        """Checked and encoded."""
        check_stage(stage, "t1")
        frame(Ended("t1", stage))

    def added(self, added: Added) -> None:
        """Encoded."""
        frame(added)


def _go_every_way(path: Path) -> None:
    users = submitted_files(path.parent)
    submission = load_submission(path, "py", Options(), users)
    if not submission.candidates:
        raise RuntimeError(f"{path.stem} could not be captured: {submission.failures[0].message}")
    loaded = submission.candidates[0].loaded
    for route in (route for name, route in RUN.items() if name != "traced"):  # a trace is the script's own
        torch._dynamo.reset()
        for later in route(loaded, Options(), Recorder(users, loaded.model), _Nowhere()):
            later.do()


@contextmanager
def _leaving_no_trace() -> Iterator[None]:
    """Nothing is printed, and what the block leaves in the process's own tables is taken out again."""
    path, argv, modules = list(sys.path), list(sys.argv), set(sys.modules)
    names, sources = copy.copy(bytecode_transformation._unique_id_counter), graph_module._loader.next_id
    with ExitStack() as stack:
        nowhere = stack.enter_context(open(os.devnull, "w"))
        stack.enter_context(redirect_stdout(nowhere))
        stack.enter_context(redirect_stderr(nowhere))
        yield
    sys.path[:], sys.argv[:] = path, argv
    for name in set(sys.modules) - modules:
        if name.startswith("graphcap_warms_up_"):
            del sys.modules[name]
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    bytecode_transformation._unique_id_counter = names  # `__builtins_dict___0` in a guard
    for number in range(sources, graph_module._loader.next_id):  # `<eval_with_key>.0` in a frame
        graph_module._loader.eval_cache.pop(f"<eval_with_key>.{number}", None)
    graph_module._loader.next_id = sources
    structured.INTERN_TABLE.clear()
    torch_logging.warning_once.cache_clear()
    for module in list(sys.modules.values()):  # a warning that is shown once a process is shown once a capture
        getattr(module, "__dict__", {}).get("__warningregistry__", {}).clear()
    linecache.clearcache()
    numpy.random.seed(SEED)
    torch.manual_seed(SEED)
