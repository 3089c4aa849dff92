"""Reads numbers under names: a `state_dict` of torch.save or pickle, a checkpoint with one inside, a safetensors file."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pickle
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from graphcap.capture.failures import exception_text
from graphcap.capture.find.named import few_of
from graphcap.capture.find.pickles.inert import read_numbers

State = Mapping[str, torch.Tensor]

SAFETENSORS = {
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
"""The dtypes by the names that such files have for them."""

MAX_HEADER = 100_000_000  # bytes, as safetensors itself allows

ZIP = b"PK\x03\x04"
LEGACY = pickle.dumps(torch.serialization.MAGIC_NUMBER, protocol=2)
"""How a file of torch.save begins that is no zip archive."""


class WeightsError(Exception):
    """The file can not be read. The message says why, to be put after its name."""


@dataclasses.dataclass(frozen=True)
class Read:
    """The tensors of a file by their names, of a checkpoint those of its model; `unread`: names of classes left unread."""

    state: State
    unread: tuple[str, ...] = ()

    def told(self) -> str:
        """For the page; empty where all was read."""
        return f"not read in it: {few_of(self.unread)}" if self.unread else ""


class NoTensors(WeightsError):
    """It was read, and there are no weights in it."""


PART = re.compile(r"(.+)-(\d+)-of-(\d+)(\.\w+)")
"""The name of a file that holds one part of the weights, as Hugging Face writes them: model-00001-of-00002.safetensors."""


def parts_beside(path: Path) -> list[Path]:
    """The other parts of the same weights, which lie in the same folder; none, where its name says it is whole."""
    if not (own := PART.fullmatch(path.name)):
        return []
    found = ((each, PART.fullmatch(each.name)) for each in sorted(path.parent.iterdir()))
    return [each for each, part in found if part and part.group(1, 3, 4) == own.group(1, 3, 4) and each != path]


def whole_name(path: Path) -> str:
    """What the weights are called that it holds, all parts together: model-*-of-00002.safetensors."""
    part = PART.fullmatch(path.name)
    return f"{part[1]}-*-of-{part[3]}{part[4]}" if part else path.name


def read_state(path: Path, others: Sequence[Path] = ()) -> Read:
    """What is in it, and in `others`, the other parts of the same weights. Raises WeightsError."""
    reads = [_read(each) for each in (path, *others)]
    if (part := PART.fullmatch(path.name)) and len(reads) < int(part[3]):
        raise WeightsError(f"is one of {int(part[3])} parts, of which {len(reads)} came: send all of them")
    state = {name: each for read in reads for name, each in read.state.items()}
    return Read(state, tuple(dict.fromkeys(name for read in reads for name in read.unread)))


def _read(path: Path) -> Read:
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
        raise NoTensors("holds no tensors under names")
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
    dtype, shape, (begin, end) = SAFETENSORS[entry["dtype"]], list(entry["shape"]), entry["data_offsets"]
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
