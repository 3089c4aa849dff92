"""What a person reads where a run ended before its stages did: plain words, with the limit, its value and its setting."""

from __future__ import annotations

from collections.abc import Sequence

from graphcap.graph.document import Failure, Stage, StageId
from graphcap.sandbox.outcome import Outcome
from graphcap.settings import Settings

SMALLER = "Make the model or its inputs smaller, or ask for fewer stages."
SIGNALS = {
    "SIGSEGV": "a segmentation fault",
    "SIGABRT": "an abort",
    "SIGBUS": "a bus error",
    "SIGFPE": "an arithmetic error",
    "SIGILL": "an illegal instruction",
    "SIGXFSZ": "a file beyond the size limit",
}


def failure_of(outcome: Outcome, settings: Settings, doing: str, refusal: str = "") -> Failure:
    """The outcome in words. `doing` completes "while ..."; `refusal` is why what was sent could not be taken."""
    kind = "no-result" if outcome.kind == "ok" else outcome.kind
    message, hint = _words(outcome, settings, doing, refusal)
    return Failure(type=kind, message=message, hints=(hint,) if hint else ())


def _words(outcome: Outcome, settings: Settings, doing: str, refusal: str) -> tuple[str, str]:
    match outcome.kind:
        case "timeout":
            limit = f"{settings.capture_wall_seconds} s (GRAPHCAP_CAPTURE_WALL_SECONDS)"
            return (
                f"the capture reached its wall clock limit of {limit} while {doing}",
                f"Look for an endless loop. {SMALLER}",
            )
        case "cpu-limit":
            limit = f"{settings.capture_cpu_seconds} s of CPU time (GRAPHCAP_CAPTURE_CPU_SECONDS)"
            return f"the capture reached its limit of {limit} while {doing}", f"Look for an endless loop. {SMALLER}"
        case "memory-limit":
            return f"the machine ran out of memory while {doing}, and the capture was killed", SMALLER
        case "process-limit":
            limit = f"{settings.capture_processes} processes (GRAPHCAP_CAPTURE_PROCESSES)"
            return f"the capture had more than {limit} while {doing}", "Look for a loop that starts processes."
        case "crashed":
            what = SIGNALS.get(outcome.signal, "")
            return f"the capture process died of {outcome.signal}{f', {what},' if what else ''} while {doing}", ""
        case "killed" | "supervisor-lost":
            return f"the capture process was killed from outside while {doing}", "Submit it again."
        case "cancelled":
            return f"the capture was cancelled while {doing}", ""
        case "invalid-result":
            what = refusal or outcome.detail
            return f"the capture was stopped while {doing}, because what it sent can not be shown: {what}", ""
        case "sandbox-error":
            return f"the capture process could not be started: {outcome.detail}", ""
        case "ok" | "no-result" | "user-error":
            return (
                f"the capture process ended itself with exit code {outcome.exit_code} while {doing}",
                "Take os._exit and the like out of the code.",
            )


def doing_of(running: Sequence[str]) -> str:
    """`export` ran; `joint`, `forward` ran."""
    return ", ".join(f"`{stage}`" for stage in running) + " ran" if running else "it was between two stages"


def unreached(stage: StageId, failure: Failure, was_running: bool) -> Stage:
    """A stage that never ended: failed by how the run ended."""
    if was_running:
        return Stage(stage, "failed", failures=(failure,))
    message = f"not reached: {failure.message}"
    return Stage(stage, "failed", failures=(Failure(failure.type, message, hints=failure.hints),))
