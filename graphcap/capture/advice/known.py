"""What to try where a submitted file fails in a way that is known: entries look at the exception and the line it is of."""

from __future__ import annotations

import dataclasses
import re
import socket
import sys
import traceback
import urllib.error
from collections.abc import Callable

from graphcap.capture.advice.pasted import no_code
from graphcap.graph.document import Frame

ELSEWHERE = "`graphcap capture FILE` on a machine that has it, then `graphcap push` (docs/client.md)"
_NO_GPU = re.compile(
    r"not linked with support for \w+ devices|not compiled with CUDA|No CUDA GPUs|no NVIDIA driver|CUDA driver"
    r"|on a CUDA device|CUDA is not available",
    re.I,
)
_NO_PYTREE = re.compile(
    r"Found <class '([\w.<>]+)'> in output, which is not a known type"
    r"|Unsupported input type <class '([\w.<>]+)'>"
    r"|inputs with type `<class '([\w.<>]+)'>` is not supported"
    r"|unrecognized type UserDefinedObjectVariable\((\w+)\)"
)
USAGE = 2  # what parsers of a command line exit with

_LAUNCHED = ("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
_WORKERS = "torch/utils/data/dataloader.py"
_A_LOG = "a log of it, TORCH_TRACE (docs/logs.md)"
_NO_NETWORK = (socket.gaierror, urllib.error.URLError, ConnectionError)


def advice_on(error: BaseException, message: str, frame: Frame | None) -> tuple[str, ...]:
    """The first that applies, after what `message`, the exception's words, and `frame`, the person's line, say; or none."""
    code = frame.code if frame else ""
    return next(((words,) for entry in ENTRIES if (words := entry(error, message, code))), ())


def _package(error: BaseException, _message: str, _code: str) -> str:
    if not isinstance(error, ModuleNotFoundError):
        return ""
    name = str(error.name).removeprefix("submission.")
    return (
        f"If {name!r} is code of your own, send its files with this one, or as a zip of the project. If it is a package, it "
        "is not installed where this ran (on a server of graphcap only torch and numpy are): submit code without others, "
        f"or use {ELSEWHERE}."
    )


def _file(error: BaseException, _message: str, _code: str) -> str:
    if not isinstance(error, FileNotFoundError) or not isinstance(error.filename, str):
        return ""
    return (
        f"No file of that name lies with the code. Send {error.filename!r} too, in the same folders in a .zip, or leave out "
        "the line that reads it: graphs need the shapes of weights, not their values."
    )


def _gpu(_error: BaseException, message: str, _code: str) -> str:
    if not _NO_GPU.search(message):
        return ""
    return (
        'There is no GPU where this ran. Write device = "cuda" if torch.cuda.is_available() else "cpu", and '
        f'torch.load(..., map_location="cpu"). For the graphs of a GPU: '
        f"{ELSEWHERE}, or of a real run: {_A_LOG}."
    )


def _arguments(error: BaseException, _message: str, code: str) -> str:
    if isinstance(error, IndexError) and "argv" in code:
        return "A submitted script gets no arguments: sys.argv is its name alone. Give what it reads from there a default."
    if isinstance(error, SystemExit) and (error.code == USAGE or ("parse" in code and "arg" in code)):
        return (
            "A submitted script gets no arguments, and argparse ends it where one is required (click and typer too); "
            "what it printed is under Output. Give the arguments defaults, or write them down: "
            "parser.parse_args(['--data', 'x'])."
        )
    return ""


def _process(error: BaseException, _message: str, code: str) -> str:
    """A script is one process of its own, without a terminal."""
    if isinstance(error, KeyError) and error.args and error.args[0] in _LAUNCHED:
        return (
            "A submitted script is one process, and not started by torchrun. Capture the model without process groups: the "
            f"graphs of one rank. Those of a real run with several: {_A_LOG}."
        )
    if isinstance(error, EOFError) and "input(" in code:
        return "A submitted script has no terminal to ask at. Write down what it asks for."
    if type(error).__module__ == "torch.multiprocessing.spawn":
        return "A submitted script is one process. Call what mp.spawn would start itself, without process groups: worker(0)."
    if _in_workers(error):
        return "A submitted script can not start worker processes: DataLoader(..., num_workers=0)."
    return ""


def _in_workers(error: BaseException) -> bool:
    if not isinstance(error, OSError | RuntimeError):
        return False
    frames = traceback.extract_tb(error.__traceback__)
    return any(frame.filename.endswith(_WORKERS) for frame in frames) and any(
        "multiprocessing" in frame.filename for frame in frames
    )


def _network(error: BaseException, message: str, code: str) -> str:
    denied = isinstance(error, PermissionError) and not error.filename and ("connect" in code or "socket" in code)
    if not denied and not isinstance(error, _NO_NETWORK) and "no internet connection" not in message:
        return ""
    return (
        "Submitted code has no network. Build the model without downloading (weights=None, pretrained=False, a config): "
        f"graphs need the shapes of weights, not their values. What it downloads can be sent with it; or use {ELSEWHERE}."
    )


def _pytree(_error: BaseException, message: str, _code: str) -> str:
    """Of what torch names by its module, it is known whether it is a dataclass."""
    if not (found := _NO_PYTREE.search(message)):
        return ""
    path = next(group for group in found.groups() if group)
    module, _, name = path.rpartition(".")
    kind = getattr(sys.modules.get(module), name, None)
    takes = "torch.export takes and returns tensors in lists, tuples, dicts and NamedTuples."
    if isinstance(kind, type) and not dataclasses.is_dataclass(kind):
        return f"{takes} Give it, or return, the tensors that are in the {name}."
    return f"{takes} Of a dataclass it has to be told, by a line below the class:\ntorch.export.register_dataclass({name})"


def _array(_error: BaseException, message: str, _code: str) -> str:
    if "must be Tensor, not numpy.ndarray" not in message and "input type <class 'numpy.ndarray'>" not in message:
        return ""
    return "Give tensors in place of arrays: example_args = (torch.from_numpy(x),)."


def _no_backward(_error: BaseException, message: str, _code: str) -> str:
    if "FlexAttention does not support backward on CPU" not in message:
        return ""
    return (
        "Without a backward it is captured here too: model.requires_grad_(False), below `model`. For the backward: "
        f"{ELSEWHERE}, with a GPU in it."
    )


def _pasted(error: BaseException, _message: str, _code: str) -> str:
    return no_code(error) if isinstance(error, SyntaxError) else ""


ENTRIES: tuple[Callable[[BaseException, str, str], str], ...] = (
    _package,
    _process,
    _file,
    _gpu,
    _arguments,
    _network,
    _array,
    _pytree,
    _no_backward,
    _pasted,
)
"""The first that has something to say is told."""
