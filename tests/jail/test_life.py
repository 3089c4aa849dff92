"""How jobs end, and what is left when something is killed: nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

from tests.jail.jailed import TIERS, run

both = pytest.mark.parametrize("tier", TIERS)


@both
@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("os.abort()", signal.SIGABRT),
        ("ctypes.string_at(0)", signal.SIGSEGV),
        ("os.kill(os.getpid(), 9)", signal.SIGKILL),
        ("signal.signal(signal.SIGTERM, signal.SIG_DFL); os.kill(os.getpid(), 15)", signal.SIGTERM),
    ],
)
def test_deaths_have_their_signal(tier: str, code: str, number: int) -> None:
    assert os.WTERMSIG(run(code, tier=tier).status) == number


@both
def test_exit_codes_come_through(tier: str) -> None:
    assert os.waitstatus_to_exitcode(run("os._exit(41)", tier=tier).status) == 41


@both
def test_cpu_time_ends(tier: str) -> None:
    assert os.WTERMSIG(run("while True: pass", tier=tier, cpu_seconds=1).status) == signal.SIGXCPU


@both
def test_a_job_that_ignores_the_signal_of_the_cpu_limit_ends_too(tier: str) -> None:
    code = "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    assert os.WTERMSIG(run(code, tier=tier, cpu_seconds=1).status) == signal.SIGKILL


def alive(mark: str) -> int:
    """Processes of ours, by what stands in their command line."""
    return int(subprocess.run(["pgrep", "-c", "-f", mark], capture_output=True, text=True).stdout)


DAEMON = """
# {mark}
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(120)
    os._exit(0)
print("left one behind")
"""


def test_what_a_job_leaves_behind_dies_with_it() -> None:
    mark = f"left-{os.getpid()}-{time.monotonic_ns()}"
    assert run(DAEMON.format(mark=mark), tier="namespaces", allow_fork=True).text == "left one behind"
    until_none(mark)


KILLED = """
# {mark}
for _ in range(3):
    if os.fork() == 0:
        time.sleep(120)
print("running", flush=True)
time.sleep(120)
"""


@pytest.mark.parametrize("victim", ["the zygote", "the supervisor"])
def test_everything_dies_with_its_parent(victim: str) -> None:
    """The supervisor is killed by the zygote; the zygote by itself, while a job and its forks run."""
    mark = f"killed-{os.getpid()}-{time.monotonic_ns()}"
    before = f"""
    waitpid, me, out = os.waitpid, os.getpid(), os.dup(1)
    heard, said = os.pipe()
    os.dup2(said, 1)
    os.close(said)
    def kill_once_it_runs(pid, options):
        if os.getpid() != me: return waitpid(pid, options)
        os.dup2(out, 1)  # what it prints comes this way; nothing more can, once it is dead
        words = b""
        while not words.endswith(b"running\\n") and (more := os.read(heard, 100)): words += more
        os.write(1, words)
        os.kill({"me" if victim == "the zygote" else "pid"}, 9)
        found = waitpid(pid, options)
        print('@status 9', flush=True)
        return found
    os.waitpid = kill_once_it_runs
    """
    if victim == "the zygote":
        with pytest.raises(AssertionError, match="running"):
            run(KILLED.format(mark=mark), tier="namespaces", allow_fork=True, before=before)
    else:
        assert run(KILLED.format(mark=mark), tier="namespaces", allow_fork=True, before=before).text == "running"
    until_none(mark)


def until_none(mark: str) -> None:
    """The kernel may take a moment to end them."""
    deadline = time.monotonic() + 300
    while alive(mark):
        assert time.monotonic() < deadline, "something lives on"
        time.sleep(0.05)
