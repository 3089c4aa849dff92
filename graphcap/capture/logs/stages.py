"""The stages of one logged function: its graphs, breaks, guards and recompiles, with what the log does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from graphcap.capture.logs.breaks import break_of
from graphcap.capture.logs.functions import Function, Piece
from graphcap.capture.logs.guards import guards_of
from graphcap.capture.logs.inputs import Inputs, inputs_of
from graphcap.capture.logs.paths import Paths
from graphcap.capture.logs.printed.graphs import Head, Named, graphs_of
from graphcap.capture.logs.printed.source import NoGraphError
from graphcap.graph.document import (
    LOG_STAGES,
    Break,
    Compilation,
    FailedGuard,
    Failure,
    Frame,
    Graph,
    Guard,
    Recompile,
    Stage,
    StageId,
)

BACKWARD = "backward"
"""The variant of the post-grad graph that the backward's code is generated from."""

_RECOMPILED = re.compile(r"^\d+/\d+: (.*)$")
MAX_NOTES = 40


class Stages:
    """The stages of one target (`t1`, ...), made once."""

    def __init__(self, target: str, function: Function, paths: Paths, compilations: Sequence[Compilation]) -> None:
        self.function, self.paths, self.compilations = function, paths, compilations
        self._prefix = "" if target == "t1" else f"{target}."
        self._graphs: dict[StageId, list[Graph]] = {stage: [] for stage in LOG_STAGES}
        self._notes: dict[StageId, list[str]] = {stage: [] for stage in LOG_STAGES}
        self._failures: dict[StageId, list[Failure]] = {stage: [] for stage in LOG_STAGES}
        self._fragments = 1 + max((piece.fragment for piece in function.pieces if piece.fragment is not None), default=-1)
        for piece in function.pieces:
            if piece.fragment is not None:
                self._read(piece, piece.fragment)

    def stages(self) -> tuple[Stage, ...]:
        """One for each of LOG_STAGES."""
        return tuple(self._stage(stage) for stage in LOG_STAGES)

    # ------------------------------------------------------------------------------------------------------ graphs

    def _read(self, piece: Piece, fragment: int) -> None:
        one = piece.compile
        texts = one.texts
        add = self._adder(piece, fragment)
        dynamo = [
            add("dynamo", text, part, Inputs().dynamo(one.sources)) for part, text in enumerate(texts.get("dynamo", []))
        ]
        inputs = _inputs(dynamo[0] if dynamo else None)
        before = texts.get("before_pre_grad", [])
        after = texts.get("pre_grad", []) or before
        for part, text in enumerate(after):
            add("pre_grad", text, part, _by_name(inputs, dynamo[part] if part < len(dynamo) else None))
        for part, text in enumerate(texts.get("joint", [])):
            add("joint", text, part, inputs.aot(gradients=True))
        returned: list[int | None] = []
        for part, text in enumerate(texts.get("forward", [])):
            joint = self._last("joint", fragment, piece.recompile, part)
            returned.append(_user_outputs(joint))
            add("forward", text, part, inputs.aot(outputs=returned[-1]))
        for part, text in enumerate(texts.get("inference", [])):
            add("forward", text, part, inputs.aot(), inference=True)
        for part, text in enumerate(texts.get("backward", [])):
            add("backward", text, part, inputs.aot(saved=True, gradients=True))
        for part, text in enumerate(texts.get("post_grad", [])):
            code = one.codes[part] if part < len(one.codes) else ""
            outputs = returned[part] if part < len(returned) else None
            add("post_grad", text, part, inputs.aot(outputs=outputs), code=code, inference=not texts.get("forward"))
        for part, (text, code) in enumerate(one.late):
            add("post_grad", text, part, inputs.aot(saved=True, gradients=True), code=code, half=BACKWARD)

    def _adder(self, piece: Piece, fragment: int) -> Callable[..., list[Graph]]:
        def add(
            stage: StageId, text: str, part: int, named: Named, *, code: str = "", half: str = "", inference: bool = False
        ) -> list[Graph]:
            variant = half if part == 0 else f"{half}_part_{_letters(part)}".lstrip("_")
            again = f".r{piece.recompile}" if piece.recompile else ""
            gid = f"{self._prefix}{stage}.{fragment}{again}" + (f".{variant}" if variant else "")
            title = self._title(piece, fragment, half, part, inference)
            head = Head(gid, title, fragment, variant, piece.recompile, inference, code)
            if not text.strip():
                return []
            try:
                graphs, unreadable = graphs_of(text, head, named, self.paths)
            except NoGraphError as error:
                message = f"the graph logged for {piece.compile.id} can not be read: {error}"
                self._failures[stage].append(Failure("unreadable", message, how=title))
                return []
            if unreadable:
                lines = "1 line" if unreadable == 1 else f"{unreadable} lines"
                self._notes[stage].append(f"{lines} of {title} could not be read; what they hold stands as `unreadable`")
            self._graphs[stage] += graphs
            return graphs

        return add

    def _title(self, piece: Piece, fragment: int, half: str, part: int, inference: bool) -> str:
        words = f"fragment {fragment + 1} of {self._fragments}" if self._fragments > 1 else self.function.name
        more = [f"compiled as {piece.compile.id}"]
        more += [f"of the {half}"] if half else []
        more += [f"part {part + 1}"] if part else []
        more += ["inference"] if inference else []
        return f"{words} ({', '.join(more)})"

    def _last(self, stage: StageId, fragment: int, recompile: int, part: int) -> Graph | None:
        own = [
            graph
            for graph in self._graphs[stage]
            if (graph.fragment, graph.recompile, graph.parent) == (fragment, recompile, "")
        ]
        return own[part] if part < len(own) else None

    # ------------------------------------------------------------------------------------------------------- stages

    def _stage(self, id: StageId) -> Stage:
        graphs, failures = tuple(self._graphs[id]), tuple(self._failures[id])
        notes = tuple(dict.fromkeys(self._notes[id]))[:MAX_NOTES]
        if id == "dynamo":
            return self._dynamo(graphs, failures, notes)
        if failures:
            return Stage(id, "failed", graphs=graphs, failures=failures, notes=notes)
        if not graphs:
            return Stage(id, "skipped", reason=self._absent(id), notes=notes)
        return Stage(id, "done", graphs=graphs, notes=notes)

    def _dynamo(self, graphs: tuple[Graph, ...], failures: tuple[Failure, ...], notes: tuple[str, ...]) -> Stage:
        guards = self._guards()
        failures = (*failures, *self._given_up())
        stops = self._breaks()
        stage = Stage(
            "dynamo",
            "failed" if failures else "done" if graphs else "skipped",
            seconds=self._seconds(),
            graphs=graphs,
            failures=failures,
            notes=(*notes, *self._symbols()),
            breaks=stops,
            guards=guards,
            recompiles=self._recompiles(guards),
        )
        if stage.status != "skipped":
            return stage
        why = stops[0].reason if stops else "the log has no graph of it"
        return msgspec.structs.replace(stage, reason=f"Dynamo captured no graph: {why}")

    def _seconds(self) -> float | None:
        """Of Dynamo alone: the whole less its backend."""
        own = [
            each.seconds - dict(each.phases).get("backend", 0.0) for each in self.compilations if each.seconds is not None
        ]
        return round(max(0.0, sum(own)), 4) if own else None

    def _given_up(self) -> tuple[Failure, ...]:
        found = []
        for piece in self.function.pieces:
            said = piece.compile.metrics
            if not said.get("fail_type") and not piece.compile.error:
                continue
            file, line = said.get("fail_user_frame_filename"), said.get("fail_user_frame_lineno")
            frame: Frame | None = None
            if isinstance(file, str) and isinstance(line, int):
                frame = self.paths.frame(file, line)
            message = str(said.get("fail_reason") or piece.compile.error.split("\n", 1)[0])
            found.append(
                Failure(
                    str(said.get("fail_type") or "dynamo_error")[:200],
                    message[:20_000],
                    how=f"compiling {piece.compile.id}",
                    frame=frame,
                    trace=piece.compile.error[-30_000:],
                )
            )
        return tuple(found)

    def _breaks(self) -> tuple[Break, ...]:
        """In the order of the pieces of the function; a place met again by a recompile is one break."""
        found: list[Break] = []
        last = -1  # fragment that came last
        for piece in sorted(self.function.pieces, key=lambda piece: -1 if (at := piece.compile.frame) is None else at):
            last = last if piece.fragment is None else piece.fragment
            for text in piece.compile.breaks:
                after = last + 1 if last + 1 < self._fragments else None
                one = break_of(text, self.paths, last if last >= 0 else None, after)
                if not any((one.kind, one.frames[-1:], one.reason) == (b.kind, b.frames[-1:], b.reason) for b in found):
                    found.append(one)
        return tuple(found)

    def _guards(self) -> tuple[Guard, ...]:
        found: list[Guard] = []
        for piece in self.function.pieces:
            if piece.fragment is not None:
                found += guards_of(piece.compile.guards, piece.fragment, piece.recompile, self.paths)
        return tuple(found)

    def _recompiles(self, guards: Sequence[Guard]) -> tuple[Recompile, ...]:
        found = []
        for piece in self.function.pieces:
            if piece.fragment is None or not piece.compile.recompiles:
                continue
            reason = piece.compile.recompiles
            lines = [match[1] for line in reason.split("\n") if (match := _RECOMPILED.match(line.strip()))]
            failed = tuple(FailedGuard(text, _guard_of(text, piece.fragment, guards)) for text in lines)
            found.append(Recompile(piece.fragment, piece.recompile, reason, failed))
        return tuple(found)

    def _symbols(self) -> tuple[str, ...]:
        """Which sizes torch kept symbolic, and which it fixed."""
        found: dict[str, list[str]] = {}
        for piece in self.function.pieces:
            one = piece.compile
            for said in one.symbols:
                words = f"the size {said.get('symbol')} is {said.get('source')}, {said.get('val')} at the time"
                found.setdefault(f"{words}, in the range {said.get('vr')}"[:500], []).append(one.id)
            for said in one.specialized:
                words = f"the size {said.get('symbol')} was specialised to {said.get('value')}: {said.get('reason')}"
                found.setdefault(words[:500], []).append(one.id)
        return tuple(f"{words} ({', '.join(dict.fromkeys(ids))})" for words, ids in found.items())[:MAX_NOTES]

    def _absent(self, stage: StageId) -> str:
        if not self._fragments:
            return "Dynamo captured no graph"
        inference = any(piece.compile.texts.get("inference") for piece in self.function.pieces)
        if inference and stage in ("joint", "backward"):
            return "nothing required grad, or grad mode was off, so there is no backward"
        if any(piece.compile.cache == "hit" for piece in self.function.pieces):
            again = "Log a run with TORCHINDUCTOR_FORCE_DISABLE_CACHES=1"
            return f"the log has none: the compiled code came from torch's cache. {again}"
        return "the log has none: the run did not reach it, or its backend does not make it"


def _inputs(dynamo: Sequence[Graph] | None) -> Inputs:
    nodes = dynamo[0].nodes if dynamo else ()
    return inputs_of([node.placeholder for node in nodes if node.op == "placeholder"])


def _by_name(inputs: Inputs, dynamo: Sequence[Graph] | None) -> Named:
    """Of a pre-grad graph: its placeholders are those of Dynamo's graph under their names."""
    plain = inputs.dynamo(())
    nodes = dynamo[0].nodes if dynamo else ()
    held = {node.name: node.placeholder for node in nodes if node.op == "placeholder" and node.placeholder}
    return Named(lambda given, value: held.get(given.name) or plain.placeholder(given, value), plain.output)


def _user_outputs(joint: Graph | None) -> int | None:
    """How many values the forward returns before those it saves: all of the joint graph's but the gradients."""
    if joint is None:
        return None
    held = [node.placeholder for node in joint.nodes if node.op == "placeholder" and node.placeholder]
    return max(0, len(joint.nodes[-1].returns) - sum(each.kind != "tangent" for each in held))


def _guard_of(text: str, fragment: int, guards: Sequence[Guard]) -> int:
    """The guard of earlier code that a reason quotes; -1 where none can be said to be the one."""
    for i, guard in enumerate(guards):
        if guard.fragment != fragment or guard.recompile:
            continue
        name = re.match(r"tensor '([^']+)'", text)
        if guard.kind == "TENSOR_MATCH" and name and guard.source in (name[1], f"L['{name[1]}']"):
            return i
        if any(code and code in text for code in guard.code):
            return i
    return -1


def _letters(number: int) -> str:
    """b for 1, c for 2, ...: a variant holds no digits."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("a") + digit) + text
    return text
