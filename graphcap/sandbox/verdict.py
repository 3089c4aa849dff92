"""From what was seen of a run to its `Outcome`. Pure."""

from __future__ import annotations

import dataclasses
import os
import signal

from graphcap.sandbox.outcome import Limits, Outcome, OutcomeKind
from graphcap.sandbox.pipes import Said


@dataclasses.dataclass(frozen=True)
class Facts:
    """What was seen: the supervisor's words, and the server's own."""

    said: Said
    stopped: str  # why the server stopped the run: cancelled, refused, timeout, not started, or ""
    refusal: str
    seconds: float
    log_cut: int
    result_bytes: int
    out_of_memory: bool  # the kernel killed something for want of memory meanwhile
    zygote_lost: bool = False  # or whatever should have begun it


def verdict(facts: Facts, limits: Limits) -> Outcome:
    """The first explanation that fits."""
    status = facts.said.status
    signalled = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else 0
    exit_code = os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None
    kind, detail = _kind(facts, limits, signalled, exit_code)
    ended_itself = kind not in ("timeout", "process-limit", "file-limit", "cancelled", "invalid-result")
    return Outcome(
        kind=kind,
        exit_code=exit_code,
        signal=_signal_name(signalled) if signalled and ended_itself else "",
        detail=detail,
        seconds=facts.seconds,
        cpu_seconds=facts.said.cpu_seconds,
        peak_bytes=facts.said.peak_bytes,
        log_cut=facts.log_cut,
        result_bytes=facts.result_bytes,
        rerun=kind == "supervisor-lost" and _lost_with_zygote(facts),
    )


def _kind(facts: Facts, limits: Limits, signalled: int, exit_code: int | None) -> tuple[OutcomeKind, str]:
    if facts.said.error:
        return "sandbox-error", facts.said.error
    if facts.stopped == "cancelled":
        return "cancelled", ""
    if facts.refusal:
        return "invalid-result", facts.refusal
    if facts.stopped == "timeout" or facts.said.stopped == "timeout":
        return "timeout", ""
    if facts.said.stopped == "processes":
        return "process-limit", ""
    if facts.said.stopped == "files":
        return "file-limit", ""
    if facts.said.status is None or facts.said.stopped == "orphaned":
        return "supervisor-lost", "its zygote died" if _lost_with_zygote(facts) else ""
    if signalled:
        return _kind_of_death(facts, limits, signalled), ""
    if exit_code:
        return "user-error", ""
    return ("ok", "") if facts.result_bytes else ("no-result", "")


def _lost_with_zygote(facts: Facts) -> bool:
    return facts.zygote_lost or facts.stopped == "not started" or facts.said.stopped == "orphaned"


def _kind_of_death(facts: Facts, limits: Limits, signalled: int) -> OutcomeKind:
    if signalled == signal.SIGXCPU:
        return "cpu-limit"
    if signalled != signal.SIGKILL:
        return "crashed"
    if facts.said.cpu_seconds >= limits.cpu_seconds:
        return "cpu-limit"
    return "memory-limit" if facts.out_of_memory else "killed"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
