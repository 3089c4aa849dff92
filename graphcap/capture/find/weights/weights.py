"""Numbers under names, told, and loaded into the model they fit."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

from graphcap.capture.find.weights.state import NoTensors, State, WeightsError, parts_beside, read_state, whole_name
from graphcap.capture.fx.statistics import statistics
from graphcap.graph.document import Failure, Statistics

MAX_ROWS = 150
COUNTED = ("min", "max", "mean", "std", "zeros", "nan", "infinite")
"""Columns of the table where statistics were asked for."""

PREFIXES = ("module.", "_orig_mod.", "model.")
"""What DataParallel, torch.compile and trainers put before each name."""

SUFFIXES = (".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".pkl", ".pickle")


def open_weights(path: Path, counted: bool) -> Failure:
    """Why weights alone give no graph, with the table of what is in them; `counted`: with statistics of their values."""
    try:
        read = read_state(path, parts_beside(path))
        return nothing_but_weights(whole_name(path), read.state, read.told(), counted)
    except WeightsError as error:
        what = _NAMED if isinstance(error, NoTensors) else "Save it again, and check that the copy is complete."
        return Failure("bad-weights", f"{path.name} {error}", hints=(what,))


_NAMED = "torch.save(model.state_dict(), 'weights.pt') writes them so; send it together with the code of the model."


def nothing_but_weights(name: str, state: State, told: str, counted: bool) -> Failure:
    """The explanation: a graph is made by running code, and here is none."""
    total, size = sum(each.numel() for each in state.values()), sum(each.nbytes for each in state.values())
    why = (
        f"{name} holds {len(state)} tensors under names ({total:,} numbers, {_bytes(size)}), and no graph: "
        "the graph is made by running the model's code."
    )
    hints = (
        "Send it together with the file of Python that builds the model: it is loaded into the model, and what does not "
        "fit is listed.",
        "Or save the whole program: torch.export.save(torch.export.export(model, args), 'model.pt2').",
    )
    parts = (why, f"{told[:1].upper()}{told[1:]}." if told else "", table(state, counted))
    return Failure("no-graph", "\n\n".join(part for part in parts if part), hints=hints)


def table(state: State, counted: bool) -> str:
    """Name, dtype, shape and bytes of each tensor in columns, and where `counted` the statistics of its values."""
    rows = [("name", "dtype", "shape", "bytes", *(COUNTED if counted else ()))]
    for name, each in list(state.items())[:MAX_ROWS]:
        row = (name[:100], str(each.dtype).removeprefix("torch."), str(list(each.shape)), f"{each.nbytes:,}")
        rows.append((*row, *(_numbers(statistics(each)) if counted else ())))
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(_aligned(row, wide)) for row in rows]
    left = len(state) - MAX_ROWS
    return "\n".join([*lines, *([f"... and {left} more"] if left > 0 else [])])


def _aligned(row: Sequence[str], wide: Sequence[int]) -> list[str]:
    """Words to the left, from the bytes on numbers to the right."""
    return [
        f"{text:<{width}}" if i < 3 else f"{text:>{width}}" for i, (text, width) in enumerate(zip(row, wide, strict=True))
    ]


def _numbers(found: Statistics) -> tuple[str, ...]:
    """As COUNTED; blank where there are none."""
    if found.reason:
        return ("",) * len(COUNTED)
    numbers = ("" if each is None else f"{each:.4g}" for each in (found.min, found.max, found.mean, found.std))
    return (*numbers, f"{found.zeros / max(found.count, 1):.1%}", str(found.nan), str(found.infinite))


def _bytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MiB" if size >= 2**20 else f"{size:,} bytes"


def weights_beside(entry: Path, submitted: Iterable[Path], code: str) -> list[Path]:
    """Files of weights among the submitted ones that the code does not open itself."""
    found = [path for path in sorted(submitted) if path.suffix in SUFFIXES and path != entry and path.is_file()]
    return [path for path in found if path.name not in code and not _is_program(path)]


def _is_program(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = {name.split("/", 1)[-1] for name in archive.namelist()}
    except Exception:  # no archive, or a damaged one: zipfile raises whatever broken bytes lead it to
        return False
    return "constants.pkl" in names or "archive_format" in names


def misfits(model: torch.nn.Module, state: State) -> tuple[State, str]:
    """The tensors under the model's own names, and what does not fit, line by line; empty where all does."""
    own = model.state_dict()
    while prefix := _prefix(state, own):
        state = {name.removeprefix(prefix): each for name, each in state.items()}
    missing = [f"missing in the file: {name} {list(own[name].shape)}" for name in own if name not in state]
    extra = [f"unknown to the model: {name} {list(state[name].shape)}" for name in state if name not in own]
    other = [
        f"of another shape: {name} is {list(state[name].shape)} in the file, {list(each.shape)} in the model"
        for name, each in own.items()
        if name in state and state[name].shape != each.shape
    ]
    return state, "\n".join((other + missing + extra)[:MAX_ROWS])


def _prefix(state: State, own: Iterable[str]) -> str:
    """What stands before every name of the file and before none of the model's; wrappers are nested in any order."""
    for prefix in PREFIXES if state else ():
        if all(name.startswith(prefix) for name in state) and not any(name.startswith(prefix) for name in own):
            return prefix
    return ""


def load_into(model: torch.nn.Module, state: State) -> None:
    """Copies the values; a model without memory (option meta) keeps none, and none are needed."""
    if not any(each.is_meta for each in model.state_dict().values()):
        model.load_state_dict(dict(state), strict=True)
