"""Values that a graph gave against those of eager PyTorch, as a `Replay`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.testing._comparison import default_tolerances

from graphcap.capture.fx.values import safe_text, tensor_text
from graphcap.graph.document import Replay

CHUNK = 1 << 20  # elements compared at once: float64 copies of a whole embedding would double it twice
MAX_REASON = 2_000  # characters
MAX_REASONS = 3


class NotCompared(Exception):
    """Why a graph's values cannot be held against eager's."""


@dataclasses.dataclass(frozen=True)
class Pair:
    """One value of a graph, and eager's. `name` completes a sentence: `output 0`, `gradient of seq.0.weight`."""

    name: str
    graph: Any
    eager: Any
    gradient: bool = False


@dataclasses.dataclass(frozen=True)
class Difference:
    """How far two values are apart; nan where they cannot be subtracted."""

    absolute: float = 0.0
    relative: float = 0.0
    close: bool = True
    words: str = ""


def not_compared(reason: str) -> Replay:
    """A replay that was not made, or says nothing."""
    return Replay("not-compared", reason=reason[:MAX_REASON])


def compared(pairs: Iterable[Pair], said: str = "") -> Replay:
    """All pairs together; `said` goes before what must be said of them."""
    found = [(pair, difference(pair.graph, pair.eager)) for pair in pairs]
    if not found:
        return not_compared("it returns nothing that eager PyTorch returns")
    largest = max(found, key=lambda each: math.inf if math.isnan(each[1].absolute) else each[1].absolute)
    words = [f"{pair.name}: {each.words}" for pair, each in found if each.words]
    return Replay(
        status="compared",
        outputs=sum(not pair.gradient for pair, _ in found),
        gradients=sum(pair.gradient for pair, _ in found),
        max_abs=_finite(max(_or_infinite(each.absolute) for _, each in found)),
        max_rel=_finite(max(_or_infinite(each.relative) for _, each in found)),
        close=all(each.close for _, each in found),
        worst=largest[0].name if largest[1].absolute != 0 else "",
        reason="; ".join([*filter(None, [said]), *words[:MAX_REASONS]])[:MAX_REASON],
    )


def difference(graph: Any, eager: Any) -> Difference:
    """Of two values; raises NotCompared where torch cannot subtract them."""
    if isinstance(graph, torch.Tensor) and isinstance(eager, torch.Tensor):
        return _of_tensors(graph, eager)
    if isinstance(graph, torch.Tensor) != isinstance(eager, torch.Tensor):
        return _apart(f"{_shown(eager)} in eager PyTorch, {_shown(graph)} here")
    numbers = isinstance(graph, bool | int | float) and isinstance(eager, bool | int | float)
    if numbers:
        return _of_tensors(torch.tensor(graph, dtype=torch.float64), torch.tensor(eager, dtype=torch.float64))
    if type(graph) is not type(eager):
        return _apart(f"{_shown(eager)} in eager PyTorch, {_shown(graph)} here")
    same = graph is eager or _equal(graph, eager)
    return Difference() if same else _apart(f"{_shown(eager)} in eager PyTorch, {_shown(graph)} here")


def _apart(words: str) -> Difference:
    return Difference(math.nan, math.nan, False, words)


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception as error:  # a stranger's __eq__
        raise NotCompared(f"{type(a).__name__} values cannot be compared: {safe_text(error)}") from None


def _shown(value: Any) -> str:
    return tensor_text(value) if isinstance(value, torch.Tensor) else safe_text(value, 80)


def _of_tensors(graph: torch.Tensor, eager: torch.Tensor) -> Difference:
    if graph.is_meta or eager.is_meta:
        raise NotCompared("the tensors are on the meta device: they have no data")
    graph, eager = _dense(graph), _dense(eager)
    if graph.shape != eager.shape or graph.dtype != eager.dtype:
        return _apart(f"{tensor_text(eager)} in eager PyTorch, {tensor_text(graph)} here")
    if torch.equal(graph, eager):  # the usual case, and a tenth of the work
        return Difference()
    rtol, atol = default_tolerances(eager, eager)
    absolute = largest = 0.0
    close = True
    for a, b in _chunks(graph, eager):
        odd = ~(torch.isfinite(a) & torch.isfinite(b))
        if bool((odd & (a != b) & ~(torch.isnan(a) & torch.isnan(b))).any()):
            return _apart("one has elements that are infinite or nan where the other has not")
        apart = (a - b).abs().masked_fill(odd, 0.0)
        size = b.abs().masked_fill(odd, 0.0)
        absolute = max(absolute, float(apart.max()))
        largest = max(largest, float(size.max()))
        close = close and bool((apart <= atol + rtol * size).all())
    relative = 0.0 if absolute == 0 else absolute / largest if largest else math.inf
    return Difference(absolute, relative, close)


def _dense(tensor: torch.Tensor) -> torch.Tensor:
    tensor = tensor.detach()
    if tensor.is_nested:
        raise NotCompared("nested tensors are not compared")
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    return tensor.dequantize() if tensor.is_quantized else tensor


def _chunks(graph: torch.Tensor, eager: torch.Tensor) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Flat pieces in float64 (complex128 for complex)."""
    wide = torch.complex128 if eager.dtype.is_complex else torch.float64
    flat = (graph.reshape(-1), eager.reshape(-1))
    for start in range(0, flat[0].numel(), CHUNK):
        a, b = (each[start : start + CHUNK].to(wide) for each in flat)
        yield a, b


def _or_infinite(number: float) -> float:
    return math.inf if math.isnan(number) else number


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
