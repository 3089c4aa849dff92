"""What a run may take, and what became of it."""

from __future__ import annotations

import dataclasses
from typing import Literal

OutcomeKind = Literal[
    "ok",  # ended by itself with exit code 0, having sent something
    "user-error",  # ended by itself with another exit code
    "timeout",  # stopped at the wall clock limit
    "cpu-limit",  # stopped by the kernel at the CPU limit
    "memory-limit",  # stopped by the kernel because memory ran out
    "process-limit",  # stopped because it had too many processes
    "file-limit",  # stopped because it had written too much, or too many files
    "crashed",  # died of a signal of its own making: segmentation fault, abort, ...
    "killed",  # killed by somebody outside
    "cancelled",  # stopped because the caller asked
    "no-result",  # ended with exit code 0 and sent nothing
    "invalid-result",  # stopped because the caller refused what it sent, or it sent more than the limit
    "sandbox-error",  # the command could not be started
    "supervisor-lost",  # the process that watches over the command died; the command was killed with it
]


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one run may take. Sizes in bytes; CPU time, memory and open files are of each process."""

    wall_seconds: float
    cpu_seconds: int
    memory_bytes: int  # address space, above what the zygote has when the job is forked
    file_bytes: int  # of all files together, beside the submitted ones
    files: int  # and folders, that it may make
    open_files: int
    processes: int  # and threads; without a user namespace beside those its user has, and of root only processes count
    log_bytes: int  # kept; more is counted and dropped
    result_bytes: int  # more stops the run


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a run ended. `signal` is its name (`SIGSEGV`) or ""; `detail` says more where the kind does not say all."""

    kind: OutcomeKind
    exit_code: int | None = None
    signal: str = ""
    detail: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0  # resident memory of its largest process
    log_cut: int = 0  # bytes printed beyond what was kept
    result_bytes: int = 0
    rerun: bool = False  # it ended because the zygote did, through no doing of its own: running it again may help
