"""Statistics of the values of tensors, for who asks: min, max, mean, std, zeros, NaN, infinities. The values stay here.

Counted piece by piece in float64, so that a tensor costs no second of its size.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import msgspec.structs
import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.nn.parameter import is_lazy

from graphcap.capture.fx.values import safe_text
from graphcap.graph.document import Placeholder, Statistics

PIECE = 1 << 15  # elements that are looked at together: 256 KiB as float64, which stay in a core's own cache
MAX_REASON = 300  # characters
HUGE = 1e100  # numbers beyond it are scaled before they are squared: float64 ends at 1.8e308
UNKNOWN = "no tensor of this name was there before anything ran"


class Measured:
    """Statistics by what they are of. Each tensor is counted once, when it is first seen."""

    def __init__(self) -> None:
        self._by_name: dict[str, Statistics] = {}
        self._by_id: dict[int, tuple[Any, Statistics]] = {}  # the tensor too: while it is held no other gets its id

    def see(self, placeholder: Placeholder, tensor: Any) -> None:
        """Counts a parameter or buffer; anything else is left."""
        wanted = placeholder.kind in ("parameter", "buffer") and isinstance(tensor, torch.Tensor)
        if wanted and placeholder.name not in self._by_name:
            if id(tensor) not in self._by_id:
                self._by_id[id(tensor)] = (tensor, statistics(tensor))
            self._by_name[placeholder.name] = self._by_id[id(tensor)][1]

    def told(self, placeholder: Placeholder) -> Placeholder:
        """The same with its statistics, where it is a parameter or buffer."""
        if placeholder.kind not in ("parameter", "buffer"):
            return placeholder
        found = self._by_name.get(placeholder.name, Statistics(0, reason=UNKNOWN))
        return msgspec.structs.replace(placeholder, statistics=found)


def statistics(tensor: torch.Tensor) -> Statistics:
    """Of one tensor; where it has no values or they can not be read, the reason."""
    try:
        if reason := _without_values(tensor):
            return Statistics(_count(tensor), reason=reason)
        with torch.no_grad():
            return _counted(tensor.detach())
    except Exception as error:  # subclasses of strangers, dtypes that torch can not convert
        words = f"its values can not be counted: {type(error).__name__}: {safe_text(error, MAX_REASON)}"
        return Statistics(0, reason=words)


def _count(tensor: torch.Tensor) -> int:
    try:
        return int(tensor.numel())
    except Exception:  # not initialised, or of symbolic size
        return 0


def _without_values(tensor: torch.Tensor) -> str:
    if is_lazy(tensor):
        return "it is not initialised yet"
    if isinstance(tensor, FakeTensor):
        return "it is a fake tensor, which has no values"
    if tensor.device.type == "meta":
        return "it is on the device meta, where tensors have no values"
    if tensor.layout is not torch.strided:
        return f"its layout is {safe_text(tensor.layout).removeprefix('torch.')}; only dense tensors are counted"
    return "it is quantized; only plain numbers are counted" if tensor.is_quantized else ""


@dataclasses.dataclass
class _Sums:
    """What is known of the finite values so far, each `value / scale - start`; `squares`: of their distances from the mean.

    Counted from `start`, one of them, as far from zero their differences would drown in rounding.
    """

    scale: float
    start: float
    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, values: torch.Tensor) -> None:
        """One more piece: the means of both parts are weighed, as Chan, Golub and LeVeque do."""
        n = values.numel()
        if n == 0:
            return
        values = values / self.scale - self.start
        mean = float(values.mean())
        away, total = mean - self.mean, self.n + n
        self.squares += float((values - mean).square().sum()) + away * away * (self.n * n / total)
        self.mean += away * (n / total)
        self.n = total


def _counted(tensor: torch.Tensor) -> Statistics:
    zeros = nan = infinite = 0
    least, most = math.inf, -math.inf
    for values in _pieces(tensor):
        finite = _finite(values)
        if finite.numel() < values.numel():
            nan += int(torch.isnan(values).sum())
            infinite += int(torch.isinf(values).sum())
        zeros += values.numel() - int(torch.count_nonzero(values))
        if finite.numel():
            low, high = torch.aminmax(finite)
            least, most = min(least, float(low)), max(most, float(high))
    found = Statistics(tensor.numel(), zeros=zeros, nan=nan, infinite=infinite, magnitudes=tensor.is_complex())
    if least > most:
        return found
    largest = max(abs(least), abs(most))
    scale = largest if largest > HUGE else 1.0
    sums = _Sums(scale, least / scale)
    for values in _pieces(tensor):
        sums.add(_finite(values))
    mean = min(max((sums.mean + sums.start) * scale, least), most)  # rounding may lead out of them
    std = math.sqrt(sums.squares / (sums.n - 1)) * scale if sums.n > 1 else math.nan
    return msgspec.structs.replace(found, min=least, max=most, mean=mean, std=std if math.isfinite(std) else None)


def _finite(values: torch.Tensor) -> torch.Tensor:
    """Those that are: mostly all, which one sum tells in a fraction of the time that looking at each takes."""
    return values if math.isfinite(float(values.sum())) else values[torch.isfinite(values)]


def _pieces(tensor: torch.Tensor) -> Iterator[torch.Tensor]:
    """All values as float64 on the CPU, in pieces that are views of the tensor until they are converted."""
    pending = [tensor]
    while pending:
        part = pending.pop()
        if part.numel() > PIECE:
            dim = max(range(part.dim()), key=lambda i: part.shape[i])
            half = part.shape[dim] // 2
            pending += [part.narrow(dim, half, part.shape[dim] - half), part.narrow(dim, 0, half)]
        elif part.numel():
            yield _doubles(part).reshape(-1)


def _doubles(part: torch.Tensor) -> torch.Tensor:
    part = part.cpu()  # before it is converted: not every device has float64
    return part.to(torch.complex128).abs() if part.is_complex() else part.to(torch.float64)
