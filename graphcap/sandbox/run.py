"""The door of the sandbox: `run` one command under limits. What the command does is data in the `Outcome`, no exception."""

from __future__ import annotations

import json
import os
import secrets
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from graphcap.sandbox.channels import Channels
from graphcap.sandbox.outcome import Limits, Outcome
from graphcap.sandbox.procfs import MARK, kill_marked, out_of_memory_kills, tasks_of_user
from graphcap.sandbox.verdict import Facts, verdict

RESULT_FD = 3
"""The descriptor the command writes its result to."""

SUPERVISOR = Path(__file__).with_name("supervisor.py")
CPU_GRACE_SECONDS = 5  # between SIGXCPU, which a program may catch, and SIGKILL
POLL_SECONDS = 0.2  # how often `cancelled` is asked
BACKSTOP_SECONDS = 10.0  # the supervisor keeps the clock; if it does not, it is told to stop this long after
STOP_SECONDS = 10.0  # how long it may take to kill everything before it is killed itself


def run(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    limits: Limits,
    on_result: Callable[[bytes], bool],
    on_log: Callable[[bytes], None],
    cancelled: Callable[[], bool],
) -> Outcome:
    """Runs `command` (its first word an absolute path) and returns when nothing of it is left.

    Standard output and error go to `on_log`, together and capped; what is written to RESULT_FD goes to `on_result`, which
    returns False to refuse it and stop the run. `cancelled` is asked several times a second, from this thread like the
    others. An exception that one of them raises ends the run and is then passed on.
    """
    started, kills = time.monotonic(), out_of_memory_kills()
    mark = secrets.token_hex(16)
    with closing(Channels(limits, on_log, on_result)) as channels:
        job = _job(command, cwd, {**env, MARK: mark}, limits, channels)
        try:
            supervisor = _start(job, mark, channels)
        except OSError as error:
            return Outcome("sandbox-error", detail=str(error))
        stopped = _supervise(supervisor, channels, limits, cancelled)
    facts = Facts(
        said=channels.status_sink.said,
        stopped=stopped,
        refusal=channels.result_sink.refusal,
        seconds=time.monotonic() - started,
        log_cut=channels.log_sink.cut,
        result_bytes=channels.result_sink.size,
        out_of_memory=out_of_memory_kills() > kills,
    )
    return verdict(facts, limits)


def _job(command: Sequence[str], cwd: Path, env: Mapping[str, str], limits: Limits, channels: Channels) -> dict[str, object]:
    """What the supervisor is told; see there."""
    log, result = channels.log.write_end, channels.result.write_end
    return {
        "command": [*command],
        "cwd": str(cwd),
        "env": env,
        "parent": os.getpid(),
        "status": channels.status.write_end,
        "fds": {1: log, 2: log, RESULT_FD: result},
        "wall_seconds": limits.wall_seconds,
        "processes": limits.processes,
        "rlimits": _rlimits(limits),
    }


class _Supervisor:
    """The process that watches over the command, and the mark that all of the command's processes carry."""

    def __init__(self, process: subprocess.Popen[bytes], mark: str) -> None:
        self.process = process
        self._mark = mark

    def end(self, all_is_dead: bool) -> None:
        """Makes sure that it is gone. It kills what it watches over on SIGTERM; where it could not, the mark helps."""
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if not all_is_dead:
            kill_marked(self._mark)


def _start(job: Mapping[str, object], mark: str, channels: Channels) -> _Supervisor:
    # -I -S: nothing of the environment or of installed packages in the trusted process, and a start in 20 ms.
    # A session of its own: Ctrl+C at a terminal reaches the server alone, which then stops its runs in order.
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(SUPERVISOR), json.dumps(job)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[pipe.write_end for pipe in channels.pipes],
        cwd="/",
        env={},
        start_new_session=True,
    )
    channels.close_write_ends()
    return _Supervisor(process, mark)


def _rlimits(limits: Limits) -> dict[str, tuple[int, int]]:
    same = {
        "RLIMIT_AS": limits.address_space_bytes,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": limits.processes + tasks_of_user(),  # the kernel counts all of the user's: a desktop has a thousand
    }
    cpu = (limits.cpu_seconds, limits.cpu_seconds + CPU_GRACE_SECONDS)
    return {"RLIMIT_CPU": cpu, **{name: (value, value) for name, value in same.items()}}


def _supervise(supervisor: _Supervisor, channels: Channels, limits: Limits, cancelled: Callable[[], bool]) -> str:
    """Reads until the supervisor is gone, and its charges with it; why the run was stopped from here, or ""."""
    try:
        stopped = _attend(supervisor, channels, limits, cancelled)
        channels.drain()
        return stopped
    finally:
        said = channels.status_sink.said
        supervisor.end(all_is_dead=said.status is not None and said.left == 0)


def _attend(supervisor: _Supervisor, channels: Channels, limits: Limits, cancelled: Callable[[], bool]) -> str:
    stopped, stop_by, ask_at = "", 0.0, 0.0
    backstop = time.monotonic() + limits.wall_seconds + BACKSTOP_SECONDS
    with selectors.DefaultSelector() as selector:
        for pipe in channels.pipes:
            selector.register(pipe.read_end, selectors.EVENT_READ, pipe)
        while channels.status.read_end in selector.get_map():
            for key, _ in selector.select(POLL_SECONDS):
                if key.data.read() is None:
                    selector.unregister(key.fd)
            now = time.monotonic()
            if stopped:
                if now > stop_by:
                    supervisor.process.kill()
                continue
            if channels.result_sink.refusal:
                stopped = "refused"
            elif now > backstop:
                stopped = "timeout"
            elif now >= ask_at:
                ask_at = now + POLL_SECONDS
                stopped = "cancelled" if cancelled() else ""
            if stopped:
                stop_by = now + STOP_SECONDS
                supervisor.process.terminate()
    return stopped
