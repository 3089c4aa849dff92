"""Numbers under names: a `state_dict` of torch.save or a safetensors file, told, and loaded into the model they fit."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pickle
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from graphcap.capture.failures import exception_text
from graphcap.capture.find.opening.inert import read_numbers
from graphcap.capture.fx.statistics import statistics
from graphcap.graph.document import Failure, Statistics

State = Mapping[str, torch.Tensor]

DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
}
"""safetensors' names of dtypes."""

MAX_HEADER = 100_000_000  # bytes, as safetensors itself allows
MAX_ROWS = 150
COUNTED = ("min", "max", "mean", "std", "zeros", "nan", "infinite")
"""Columns of the table where statistics were asked for."""

PREFIXES = ("module.", "_orig_mod.", "model.")
"""What DataParallel, torch.compile and trainers put before each name."""

SUFFIXES = (".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".pkl", ".pickle")

ZIP = b"PK\x03\x04"
LEGACY = pickle.dumps(torch.serialization.MAGIC_NUMBER, protocol=2)
"""How a file of torch.save begins that is no zip archive."""

MAX_TOLD = 5


class WeightsError(Exception):
    """The file can not be read. The message says why, to be put after its name."""


@dataclasses.dataclass(frozen=True)
class Read:
    """The tensors of a file by their names, of a checkpoint those of its model; `unread`: names of classes left unread."""

    state: State
    unread: tuple[str, ...] = ()

    def told(self) -> str:
        """For the page; empty where all was read."""
        more = f" and {len(self.unread) - MAX_TOLD} more" if len(self.unread) > MAX_TOLD else ""
        return f"not read in it: {', '.join(self.unread[:MAX_TOLD])}{more}" if self.unread else ""


def read_state(path: Path) -> Read:
    """What the content says it is; the name says nothing. Raises WeightsError."""
    with path.open("rb") as file:
        head = file.read(len(LEGACY))
    archive = head.startswith((ZIP, LEGACY))
    if not archive and (_begins_safetensors(path, head) or (path.suffix == ".safetensors" and head[:1] != b"\x80")):
        return Read(_safetensors(path))
    if not archive and head[:1] != b"\x80":
        raise WeightsError("is neither a file of torch.save, nor a pickle, nor one of safetensors")
    try:
        value, unread = _loaded(path, archive, mapped=head.startswith(ZIP))
    except Exception as error:  # damaged bytes lead to any
        said = exception_text(error).partition("\n")[0].partition(". ")[0][:300]
        raise WeightsError(f"can not be opened as weights: {type(error).__name__}: {said}") from None
    if not (state := state_in(value)):
        raise WeightsError("holds no tensors under names")
    return Read(state, unread)


def _loaded(path: Path, archive: bool, mapped: bool) -> tuple[Any, tuple[str, ...]]:
    """As torch reads weights, which takes no memory where they are `mapped`; what torch refuses so, without its classes."""
    if archive and path.suffix != ".safetensors":  # which torch takes for a file of safetensors, whatever is in it
        with contextlib.suppress(Exception):
            return torch.load(path, map_location="cpu", weights_only=True, mmap=mapped or None), ()
    return read_numbers(path, archive)


def _begins_safetensors(path: Path, head: bytes) -> bool:
    return head[8:9] == b"{" and 2 <= int.from_bytes(head[:8], "little") <= path.stat().st_size - 8


def _safetensors(path: Path) -> State:
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    try:
        if not 2 <= size <= min(MAX_HEADER, len(data) - 8):
            raise ValueError(f"its header says {size:,} bytes, the file has {len(data):,}")
        header = json.loads(data[8 : 8 + size])
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        return {str(name): _tensor(entry, data, 8 + size) for name, entry in entries.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RuntimeError, RecursionError) as error:
        raise WeightsError(f"is no whole safetensors file: {error}") from None


def _tensor(entry: dict[str, Any], data: bytes, start: int) -> torch.Tensor:
    dtype, shape, (begin, end) = DTYPES[entry["dtype"]], list(entry["shape"]), entry["data_offsets"]
    if not 0 <= begin <= end <= len(data) - start:
        raise ValueError(f"a tensor ends at byte {end:,}, past the end of the file")
    if begin == end:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(data[start + begin : start + end]), dtype=dtype).reshape(shape)


def state_in(value: Any) -> State:
    """The largest dictionary of tensors in what was saved; empty where there is none."""
    if not isinstance(value, Mapping):
        return {}
    own = {str(name): each for name, each in value.items() if isinstance(each, torch.Tensor)}
    inner = [state_in(each) for each in value.values() if isinstance(each, Mapping)]
    return max([own, *inner], key=lambda state: sum(each.numel() for each in state.values()))


def open_weights(path: Path, counted: bool = False) -> Failure:
    """Why weights alone give no graph, with the table of what is in them; `counted`: with statistics of their values."""
    try:
        read = read_state(path)
        return nothing_but_weights(path.name, read.state, read.told(), counted)
    except WeightsError as error:
        return Failure("bad-weights", f"{path.name} {error}", hints=("Save it again, and check that the copy is complete.",))


def nothing_but_weights(name: str, state: State, told: str = "", counted: bool = False) -> Failure:
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


def table(state: State, counted: bool = False) -> str:
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
    for prefix in PREFIXES:
        if state and all(name.startswith(prefix) for name in state) and not any(name.startswith(prefix) for name in own):
            state = {name.removeprefix(prefix): each for name, each in state.items()}
    missing = [f"missing in the file: {name} {list(own[name].shape)}" for name in own if name not in state]
    extra = [f"unknown to the model: {name} {list(state[name].shape)}" for name in state if name not in own]
    other = [
        f"of another shape: {name} is {list(state[name].shape)} in the file, {list(each.shape)} in the model"
        for name, each in own.items()
        if name in state and state[name].shape != each.shape
    ]
    return state, "\n".join((other + missing + extra)[:MAX_ROWS])


def load_into(model: torch.nn.Module, state: State) -> None:
    """Copies the values; a model without memory (option meta) keeps none, and none are needed."""
    if not any(each.is_meta for each in model.state_dict().values()):
        model.load_state_dict(dict(state), strict=True)
