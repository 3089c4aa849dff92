"""How a child ended, as the failure a person reads."""

from __future__ import annotations

import signal
from collections.abc import Mapping

from graphcap.capture.failures import rename
from graphcap.capture.process.child import FAILED, Ending
from graphcap.capture.process.post_mortem import user_frame
from graphcap.graph.document import Failure

_MEANINGS = {
    signal.SIGSEGV: "a segmentation fault: native code touched memory that is not its own",
    signal.SIGABRT: "native code gave up (abort), often for lack of memory",
    signal.SIGFPE: "an arithmetic fault in native code, such as a division by zero",
    signal.SIGBUS: "a bus error, often a file or memory that ended too early",
    signal.SIGILL: "an instruction this processor does not have",
    signal.SIGKILL: "killed from outside, most likely because the machine ran out of memory",
    signal.SIGXCPU: "the CPU time allowed was used up",
    signal.SIGXFSZ: "a file grew beyond the size allowed",
}
_TYPES = {signal.SIGXCPU: "cpu-limit", signal.SIGXFSZ: "file-limit"}


def failure_of_ending(ending: Ending, users: Mapping[str, str], doing: str, seconds: float) -> Failure:
    """`doing` completes "while ...": `importing model.py`, `running the eager route`."""
    kind, message, hint = _words(ending, doing, seconds)
    frame = user_frame(ending.stack, users)
    return Failure(kind, message, frame=frame, hints=(hint,) if hint else (), trace=rename(ending.stack, users))


def _words(ending: Ending, doing: str, seconds: float) -> tuple[str, str, str]:
    if ending.how == "timeout":
        message = f"stopped after {seconds:g} s while {doing}"
        return "timeout", message, "Look for an endless loop, or make the model or its inputs smaller."
    if ending.how == "signal":
        name, meaning = signal_name(ending.code), _MEANINGS.get(ending.code, "")  # type: ignore[call-overload]
        kind = _TYPES.get(ending.code, "crashed")  # type: ignore[call-overload]
        return kind, f"{name} while {doing}" + (f": {meaning}" if meaning else ""), ""
    if ending.code == FAILED:
        return "internal", f"the capture process itself failed while {doing}; its traceback is in the printed output", ""
    message = f"the process ended with exit code {ending.code} while {doing}"
    return "exited", message, "Something called os._exit, or ended the process in another way. Remove that call."


def signal_name(number: int) -> str:
    """`SIGSEGV` for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
