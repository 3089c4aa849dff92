"""What a person reads where a run ended before its stages did: plain words, with the limit, its value and its setting."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from graphcap.graph.document import Failure, Stage, StageId
from graphcap.jobs.messages import Conversation
from graphcap.sandbox.outcome import Outcome
from graphcap.settings import Settings

LAST_WORDS = "What the code printed last may say where."
SMALLER = "Make the model or its inputs smaller, or ask for fewer stages."
SIGNALS = {
    "SIGSEGV": "a segmentation fault",
    "SIGABRT": "an abort",
    "SIGBUS": "a bus error",
    "SIGFPE": "an arithmetic error",
    "SIGILL": "an illegal instruction",
    "SIGXFSZ": "a file beyond the size limit",
}
KILLS = frozenset({"timeout", "cpu-limit", "memory-limit", "process-limit", "file-limit", "invalid-result"})

UNREPEATABLE = frozenset(
    {
        *("timeout", "cpu-limit", "memory-limit", "process-limit", "file-limit", "crashed", "killed", "exited"),
        *("cancelled", "internal", "interrupted", "too-large", "unreadable"),
    }
)
"""Failures of a stage after which another run may end otherwise, or under other limits would."""

OUT_OF_SOMETHING = re.compile(
    r"can't start new thread|can't allocate memory|out of memory|\[Errno \d+\] "
    r"(Cannot allocate memory|Resource temporarily unavailable|Too many open files|No space left on device|File too large)",
    re.IGNORECASE,
)
"""How the same looks where Python or torch puts it in words of its own."""


LIMITS: tuple[tuple[str, str, Callable[[Settings], str]], ...] = (
    (
        "memory-limit",
        r"can't allocate memory|Cannot allocate memory",
        lambda s: f"{s.capture_memory_mib} MiB of memory (GRAPHCAP_CAPTURE_MEMORY_MIB)",
    ),
    ("timeout", r"$^", lambda s: f"{s.route_wall_seconds} s of wall clock a route (GRAPHCAP_ROUTE_WALL_SECONDS)"),
    ("cpu-limit", r"$^", lambda s: f"{s.capture_cpu_seconds} s of CPU time (GRAPHCAP_CAPTURE_CPU_SECONDS)"),
    (
        "file-limit",
        r"No space left on device|File too large",
        lambda s: (
            f"{s.capture_files_mib} MiB (GRAPHCAP_CAPTURE_FILES_MIB) in {s.capture_files} files (GRAPHCAP_CAPTURE_FILES)"
        ),
    ),
    (
        "too-large",
        r"$^",
        lambda s: f"{s.message_mib} MiB (GRAPHCAP_MESSAGE_MIB) and {s.stage_nodes} nodes (GRAPHCAP_STAGE_NODES)",
    ),
    (
        "process-limit",
        r"can't start new thread|Resource temporarily unavailable",
        lambda s: f"{s.capture_processes} processes and threads (GRAPHCAP_CAPTURE_PROCESSES)",
    ),
    ("", r"Too many open files", lambda s: f"{s.capture_open_files} open files (GRAPHCAP_CAPTURE_OPEN_FILES)"),
)
"""Limits a stage may meet inside its own process: the failure's type, or its words, and the limit with its setting."""


def _limit(kind: str, settings: Settings) -> str:
    return next(value for each, _, value in LIMITS if each == kind)(settings)


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
            limit = _limit("cpu-limit", settings)
            return f"the capture reached its limit of {limit} while {doing}", f"Look for an endless loop. {SMALLER}"
        case "memory-limit":
            limit = f"its limit of {settings.capture_memory_mib} MiB (GRAPHCAP_CAPTURE_MEMORY_MIB) or what the machine has"
            return f"the capture ran out of memory, {limit}, while {doing}, and was killed", SMALLER
        case "process-limit":
            limit = f"{settings.capture_processes} processes (GRAPHCAP_CAPTURE_PROCESSES)"
            return f"the capture had more than {limit} while {doing}", "Look for a loop that starts processes."
        case "file-limit":
            return f"the capture wrote more than its limit of {_limit(outcome.kind, settings)} while {doing}", "Write less."
        case "crashed" if outcome.signal == "SIGXFSZ":
            limit = f"{settings.capture_files_mib} MiB (GRAPHCAP_CAPTURE_FILES_MIB)"
            return f"the capture wrote a file beyond its limit of {limit} while {doing}", "Write less."
        case "crashed":
            what = SIGNALS.get(outcome.signal, "")
            return f"the capture process died of {outcome.signal}{f', {what},' if what else ''} while {doing}", LAST_WORDS
        case "killed" | "supervisor-lost":
            return f"the capture process was killed from outside while {doing}", "Submit it again."
        case "cancelled":
            return f"the capture was cancelled while {doing}", ""
        case "invalid-result":
            what = refusal or outcome.detail
            return f"the capture was stopped while {doing}, because what it sent can not be shown: {what}", ""
        case "sandbox-error":
            return f"the capture process could not be started: {outcome.detail}", "Tell whoever runs this server."
        case "ok" | "no-result" | "user-error":
            return (
                f"the capture process ended itself with exit code {outcome.exit_code} while {doing}",
                "Take os._exit and the like out of the code.",
            )


def with_limits(stage: Stage, settings: Settings) -> Stage:
    """A stage whose failures say, where one met a limit, which, of what value, and how the operator sets it."""
    return msgspec.structs.replace(stage, failures=tuple(with_limit(failure, settings) for failure in stage.failures))


def with_limit(failure: Failure, settings: Settings) -> Failure:
    """The same of one failure."""
    for kind, words, value in LIMITS:
        if failure.type == kind or re.search(words, failure.message):
            return msgspec.structs.replace(failure, hints=(*failure.hints, f"The limit is {value(settings)}."))
    return failure


OF_A_LATER_RUN = re.compile(r"of processor time|while running its graphs|Cannot allocate memory|can't allocate memory")
"""The same where a stage was had, and what came later met a limit: in its notes, and in reasons not to compare."""


def reusable(outcome: Outcome, talk: Conversation) -> bool:
    """Whether the same submission would give the same: the run came to its own end, and nothing in it to a limit's."""
    met_a_limit = any(map(_by_chance, talk.stage_failures)) or any(map(OF_A_LATER_RUN.search, talk.added_words))
    return outcome.kind == "ok" and talk.finished and not met_a_limit


def _by_chance(failure: Failure) -> bool:
    return failure.type in UNREPEATABLE or OUT_OF_SOMETHING.search(failure.message) is not None


def kill_of(outcome: Outcome) -> str:
    """Why the jail ended a run, for /metrics; "" where it did not."""
    if outcome.signal == "SIGSYS":
        return "forbidden-call"
    return outcome.kind if outcome.kind in KILLS else ""


def doing_of(running: Sequence[str]) -> str:
    """`export` ran; `joint`, `forward` ran."""
    return ", ".join(f"`{stage}`" for stage in running) + " ran" if running else "it was between two stages"


def unreached(stage: StageId, failure: Failure, was_running: bool) -> Stage:
    """A stage that never ended: failed by how the run ended."""
    if was_running:
        return Stage(stage, "failed", failures=(failure,))
    message = f"not reached: {failure.message}"
    return Stage(stage, "failed", failures=(Failure(failure.type, message, hints=failure.hints),))
