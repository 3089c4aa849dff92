"""The records of a log put together by what torch compiled: one `Compile` for each compile id of each epoch of a process.

torch counts frames from 0 again after `torch._dynamo.reset()`: an id that starts once more begins a new epoch. What comes
late, as the code of a backward does, belongs to the newest compile of its id that still waits for it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any

from graphcap.capture.logs.records import Record

MAX_COMPILES = 20_000
MAX_TEXTS = 64  # graphs of one kind of one compile: DDP and regional compilation cut one frame into several

GRAPHS = {
    "dynamo_output_graph": "dynamo",
    "inductor_pre_grad_graph": "pre_grad",
    "artifact:inductor_pre_grad_graph": "pre_grad",
    "artifact:after_pre_grad_graph": "pre_grad",
    "artifact:before_pre_grad_graph": "before_pre_grad",
    "aot_joint_graph": "joint",
    "aot_forward_graph": "forward",
    "aot_backward_graph": "backward",
    "aot_inference_graph": "inference",
    "inductor_post_grad_graph": "post_grad",
    "artifact:inductor_post_grad_graph": "post_grad",
    "compiled_autograd_graph": "dynamo",
}
"""Kind of record -> the graph it holds."""

_AOT_ID = re.compile(r"# AOT ID: \['(\d+)_(forward|backward|inference)'\]")
_ARGUMENTS = re.compile(r"def forward\((.*?)\):", re.DOTALL)
_NAME = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)(?=\s*[:,#]|\s*$)")


@dataclasses.dataclass
class Compile:
    """What one log says of one compile. Lists are in the order of the log."""

    key: tuple[int, int | None, int | None, int | None]  # epoch, compiled autograd, frame, its how-manieth compile
    id: str  # as torch prints it
    log: str  # name of the file
    attempt: int = 0
    texts: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    late: list[tuple[str, str]] = dataclasses.field(default_factory=list)  # post-grad text, its code: of backwards
    codes: list[str] = dataclasses.field(default_factory=list)
    aot_ids: set[str] = dataclasses.field(default_factory=set)
    breaks: list[str] = dataclasses.field(default_factory=list)
    guards: str = ""
    recompiles: str = ""
    stack: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    sources: list[str] = dataclasses.field(default_factory=list)
    symbols: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    specialized: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    metrics: dict[str, Any] = dataclasses.field(default_factory=dict)
    backward_metrics: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    cache: str = ""
    error: str = ""

    @property
    def epoch(self) -> int:
        """How many times the process had been reset."""
        return self.key[0]

    @property
    def frame(self) -> int | None:
        """torch's number of the code that was compiled."""
        return self.key[2]

    @property
    def has_graph(self) -> bool:
        """Whether any graph came of it."""
        return any(self.texts.get(kind) for kind in GRAPHS.values())


class Compiles:
    """Takes the records of one process."""

    def __init__(self, log: str) -> None:
        self.log = log
        self.all: list[Compile] = []
        self.torch = ""
        self.files: dict[int, str] = {}
        self.left_out = 0  # records of compiles after MAX_COMPILES
        self._epoch = 0
        self._now: dict[tuple[Any, ...], list[Compile]] = {}
        self._started: set[int] = set()
        self._waiting: dict[tuple[Any, ...], str] = {}  # a post-grad graph whose code has not come
        self._reasons: dict[tuple[Any, ...], str] = {}  # why it is compiled anew, said before it begins

    def take(self, records: Iterable[Record]) -> None:
        """All records of the process."""
        for record in records:
            self._take(record)
        for ids, text in self._waiting.items():
            self._code(ids, text, "")
        for ids, reason in self._reasons.items():
            if (one := self._of(ids)) is not None:
                one.recompiles = reason

    def _take(self, record: Record) -> None:
        said = record.said
        if record.kind == "str" and isinstance(said, list) and len(said) == 2 and isinstance(said[1], int):
            self.files[said[1]] = str(said[0])
        elif record.kind == "artifact:torch_version":
            self.torch = self.torch or _version(record.payload)
        elif record.kind == "dynamo_start":
            self._start(record)
        elif record.kind in GRAPHS:
            self._graph(record, GRAPHS[record.kind])
        elif record.kind == "inductor_output_code":
            ids = _ids(record)
            self._code(ids, self._waiting.pop(ids, ""), record.payload)
        elif record.kind == "artifact:recompile_reasons" and not self._runs(_ids(record)):
            self._reasons[_ids(record)] = record.payload.strip()
        elif record.kind in _FACTS and (one := self._of(_ids(record))) is not None:
            _FACTS[record.kind](one, record)

    def _start(self, record: Record) -> None:
        ids, attempt = _ids(record), _attempt(record)
        there = self._now.get(ids, [])
        if there and id(there[-1]) in self._started and attempt == 0:
            self._epoch += 1
        one = self._new(ids) if not there or there[-1].epoch != self._epoch else there[-1]
        if one is None:
            return
        one.recompiles = self._reasons.pop(ids, one.recompiles)
        self._started.add(id(one))
        stack = record.said.get("stack") if isinstance(record.said, dict) else None
        one.stack = [each for each in stack or [] if isinstance(each, dict)]
        one.attempt = attempt

    def _runs(self, ids: tuple[Any, ...]) -> bool:
        """Whether it has begun and not ended."""
        there = self._now.get(ids)
        return there is not None and id(there[-1]) in self._started and not there[-1].metrics

    def _new(self, ids: tuple[Any, ...]) -> Compile | None:
        if len(self.all) >= MAX_COMPILES:
            self.left_out += 1
            return None
        autograd, frame, again = ids
        text = f"{'-' if frame is None else frame}/{'-' if again is None else again}"
        name = f"!{autograd}/{text}" if autograd is not None else text if frame is not None else "no frame"
        one = Compile((self._epoch, *ids), name, self.log)
        self.all.append(one)
        self._now.setdefault(ids, []).append(one)
        return one

    def _of(self, ids: tuple[Any, ...]) -> Compile | None:
        there = self._now.get(ids)
        return there[-1] if there else self._new(ids)

    def _graph(self, record: Record, kind: str) -> None:
        ids, attempt = _ids(record), _attempt(record)
        if kind == "post_grad":
            if ids in self._waiting:
                self._code(ids, self._waiting.pop(ids), "")
            self._waiting[ids] = record.payload
            return
        one = self._of(ids)
        if one is not None and ids[1] is None and one.texts.get(kind):
            one = self._new(ids)  # compiled outside of any frame: nothing but the order tells them apart
        if one is None:
            return
        if attempt > one.attempt:  # torch began again, and what it had made is dropped
            one.texts.clear()
            one.codes.clear()
            one.attempt = attempt
        texts = one.texts.setdefault(kind, [])
        if len(texts) < MAX_TEXTS:
            texts.append(record.payload)

    def _code(self, ids: tuple[Any, ...], text: str, code: str) -> None:
        """A post-grad graph with the code made of it: of a forward, or of the backward of the compile that waits for it."""
        head = _AOT_ID.search(code[:2000])
        one = self._waiting_for(ids, text, head)
        if one is None:
            return
        if head is not None:
            one.aot_ids.add(head[1])
        if head[2] == "backward" if head is not None else _is_backward(one, text):
            one.late.append((text, code))
        else:
            one.texts.setdefault("post_grad", []).append(text)
            one.codes.append(code)

    def _waiting_for(self, ids: tuple[Any, ...], text: str, head: re.Match[str] | None) -> Compile | None:
        there = self._now.get(ids, [])
        if head is not None and head[2] == "backward":
            known = [one for one in there if head[1] in one.aot_ids]
            if known:
                return known[-1]
            fitting = [one for one in there if _is_backward(one, text) and not one.late]
            if fitting:
                return fitting[-1]
        return there[-1] if there else self._new(ids)


def _is_backward(one: Compile, text: str) -> bool:
    """Whether a post-grad graph takes what the backward takes."""
    own = _arguments(text)
    return any(_arguments(backward) == own for backward in one.texts.get("backward", [])) and bool(own)


def _arguments(text: str) -> list[str]:
    found = _ARGUMENTS.search(text[:200_000])
    if found is None:
        return []
    plain = re.sub(r'"[^"]*"|#[^\n]*', "", found[1])
    return [name for name in _NAME.findall(plain) if name != "self"]


def _ids(record: Record) -> tuple[Any, ...]:
    about = record.about
    return tuple(
        value if isinstance(value := about.get(key), int) else None
        for key in ("compiled_autograd_id", "frame_id", "frame_compile_id")
    )


def _attempt(record: Record) -> int:
    attempt = record.about.get("attempt")
    return attempt if isinstance(attempt, int) else 0


def _version(payload: str) -> str:
    found = re.search(r'"pytorch_version":\s*"([^"]{1,60})"', payload)
    return found[1] if found else ""


def _break(one: Compile, record: Record) -> None:
    if record.payload not in one.breaks:
        one.breaks.append(record.payload)


def _guards(one: Compile, record: Record) -> None:
    one.guards = record.payload


def _recompiles(one: Compile, record: Record) -> None:
    one.recompiles = record.payload.strip()


def _source(one: Compile, record: Record) -> None:
    if isinstance(record.said, Mapping) and isinstance(source := record.said.get("source"), str):
        one.sources.append(source)


def _symbol(one: Compile, record: Record) -> None:
    if isinstance(record.said, dict):
        one.symbols.append(record.said)


def _specialized(one: Compile, record: Record) -> None:
    if isinstance(record.said, dict):
        one.specialized.append(record.said)


def _metrics(one: Compile, record: Record) -> None:
    if isinstance(record.said, dict):
        one.metrics = record.said


def _backward_metrics(one: Compile, record: Record) -> None:
    if isinstance(record.said, dict):
        one.backward_metrics.append(record.said)


def _cache(one: Compile, record: Record) -> None:
    one.cache = record.kind.rsplit("_", 1)[1]


def _error(one: Compile, record: Record) -> None:
    one.error = record.payload.strip()


_FACTS = {
    "artifact:dynamo_graph_break_reason": _break,
    "dynamo_cpp_guards_str": _guards,
    "artifact:recompile_reasons": _recompiles,
    "describe_source": _source,
    "create_symbol": _symbol,
    "symbolic_shape_specialization": _specialized,
    "compilation_metrics": _metrics,
    "bwd_compilation_metrics": _backward_metrics,
    "artifact:fx_graph_cache_hit": _cache,
    "artifact:fx_graph_cache_miss": _cache,
    "artifact:fx_graph_cache_bypass": _cache,
    "artifact:dynamo_error": _error,
}
"""Kinds of records that say something of a compile, and where it is kept. `KNOWN` are all that are read."""

KNOWN = frozenset((*GRAPHS, *_FACTS, "str", "dynamo_start", "inductor_output_code", "artifact:torch_version"))
