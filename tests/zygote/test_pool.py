"""Zygotes come and go: replaced in time, hung, killed; no running job is lost to it but those the killed one had."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from zygotes import HERE, ROOT, Ran, alive, below, changed, kill, ready, run_code, shared, started, until, wait_until_dead

from graphcap.sandbox.jail.policy import Tier
from graphcap.sandbox.zygote import pool as pools
from graphcap.sandbox.zygote import run as runs
from graphcap.sandbox.zygote.pool import Pool
from graphcap.sandbox.zygote.process import Process

TIERS: list[Tier] = ["namespaces", "landlock", "none"]
OK = "os.write(OUT, b'ok')"
WAITS = "os.write(OUT, b'a'); os.read(sys.stdin.fileno(), 1); time.sleep(600)"
UNTIL_TOLD = f"""
told = []
signal.signal(signal.SIGUSR2, lambda *_: told.append(1))
{OK}
while not told: time.sleep(0.01)
{OK}
"""
"""Goes on when `tell` says so: a job in a jail sees no file of ours."""


@contextmanager
def in_background(pool: Pool, code: str) -> Iterator[list[Ran]]:
    """A job that runs while the block does; it has written to its result descriptor as the block begins."""
    begun, ran = threading.Event(), list[Ran]()

    def take(data: bytes) -> bool:
        begun.set()
        return True

    thread = threading.Thread(target=lambda: ran.append(run_code(pool, code, take=take)))
    thread.start()
    assert begun.wait(300)
    yield ran
    thread.join(300)
    assert ran


def tell(zygote: int) -> None:
    """Lets the job of this zygote that is `UNTIL_TOLD` go on: the one process that takes the signal."""
    (job,) = [pid for pid in below(zygote) if takes(pid, signal.SIGUSR2)]
    os.kill(job, signal.SIGUSR2)


def takes(pid: int, number: int) -> bool:
    """Whether a process has a handler for the signal."""
    caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return caught is not None and bool(int(caught[1], 16) >> (number - 1) & 1)


@pytest.mark.parametrize("tier", TIERS)
def test_a_job_runs_in_each_tier(tier: Tier) -> None:
    ran = run_code(shared(tier), f"print(open('a/b.py').read()); {OK}", files=[("a/b.py", b"hello")])
    assert (ran.outcome.kind, ran.result, ran.log) == ("ok", b"ok", b"hello\n")


@pytest.mark.parametrize("tier", TIERS)
def test_jobs_never_see_what_another_changed(tier: Tier) -> None:
    code = """
import tempfile
names = os.listdir(tempfile.gettempdir())
seen = [dict(STATE), os.path.exists("left"), os.environ.get("LEFT"), "left" in sys.modules, names]
os.write(OUT, repr(seen).encode())
STATE["left"] = 1
os.environ["LEFT"] = "1"
open("left", "w").close()
open(os.path.join(tempfile.gettempdir(), "left"), "w").close()
sys.modules["left"] = sys
"""
    first, second = (run_code(shared(tier), code).result for _ in range(2))
    assert first == second == b"[{}, False, None, False, []]"


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("time.sleep(600)", "timeout"),
        ("os.kill(os.getpid(), signal.SIGSTOP)", "timeout"),
        ("[signal.signal(n, signal.SIG_IGN) for n in (15, 2, 1, 24)]; time.sleep(600)", "timeout"),
        ("while True: pass", "cpu-limit"),
        ("os.abort()", "crashed"),
        ("os._exit(3)", "user-error"),
        ("pass", "no-result"),
        ("while True: os.write(OUT, b'z' * 65536)", "invalid-result"),
    ],
)
def test_every_end_has_its_name_in_each_tier(tier: Tier, code: str, kind: str) -> None:
    limits = changed(wall_seconds=2) if kind == "timeout" else changed(cpu_seconds=1)
    assert run_code(shared(tier), code, limits).outcome.kind == kind


@pytest.mark.parametrize("tier", TIERS)
def test_memory_is_refused_beyond_the_limit(tier: Tier) -> None:
    code = f"try: bytearray(600 << 20)\nexcept MemoryError: {OK}"
    assert run_code(shared(tier), code).result == b"ok"


def test_files_are_bounded_together_where_a_job_has_a_file_system_of_its_own() -> None:
    code = """
def fill(limit):
    for i in range(limit):
        try:
            with open(f"file{i}", "wb") as file: file.write(b"x" * 100_000)
        except OSError as error: return i, error.strerror
    return limit, ""
print(*fill(100))
"""
    count, error = run_code(shared("namespaces"), code).log.decode().strip().split(" ", 1)
    assert error == "No space left on device" and 5 < int(count) <= 11  # 1 MiB
    code = code.replace("100_000", "1").replace("fill(100)", "fill(1000)")
    count, error = run_code(shared("namespaces"), code).log.decode().strip().split(" ", 1)
    assert error == "No space left on device" and 150 < int(count) < 200  # files, less the folders that are there


@pytest.mark.parametrize("tier", TIERS)
def test_the_next_one_takes_over_after_a_number_of_jobs_and_no_running_job_is_lost(tier: Tier) -> None:
    with started(tier, captures=3) as pool:
        first = ready(pool).pid
        with in_background(pool, UNTIL_TOLD) as slow:
            for _ in range(6):
                assert run_code(pool, OK).outcome.kind == "ok"
            until(lambda: ready(pool).pid != first)
            assert alive(first)
            for _ in range(2):
                assert run_code(pool, OK).outcome.kind == "ok"
            tell(first)
        assert (slow[0].outcome.kind, slow[0].result) == ("ok", b"okok")
        wait_until_dead(first)


@pytest.mark.parametrize("tier", TIERS)
def test_a_killed_zygote_takes_its_jobs_with_it_and_another_comes(tier: Tier) -> None:
    with started(tier) as pool:
        zygote = ready(pool).pid
        with in_background(pool, WAITS) as lost:
            family = below(zygote)
            assert len(family) >= 2
            kill(zygote)
        wait_until_dead(zygote, *family)
        assert lost[0].outcome.kind == "supervisor-lost" and lost[0].outcome.rerun
        assert run_code(pool, OK).outcome.kind == "ok"


@pytest.mark.parametrize("tier", TIERS)
def test_a_killed_supervisor_takes_its_job_with_it_and_the_zygote_lives_on(tier: Tier) -> None:
    with started(tier) as pool:
        zygote = ready(pool).pid
        with in_background(pool, WAITS) as lost:
            supervisors = [pid for pid in below(zygote) if parent_of(pid) == zygote and below(pid)]
            assert supervisors
            for pid in supervisors:
                kill(pid)
        assert lost[0].outcome.kind == "supervisor-lost" and not lost[0].outcome.rerun
        wait_until_dead(*supervisors)
        assert run_code(pool, OK).outcome.kind == "ok" and ready(pool).pid == zygote


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_zygote_that_hangs_is_replaced_and_its_running_job_ends_as_it_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "PING_SECONDS", 0.2)
    with started() as pool:
        first = ready(pool).pid
        with in_background(pool, UNTIL_TOLD) as slow:
            os.kill(first, signal.SIGSTOP)
            monkeypatch.setattr(pools, "SILENT_SECONDS", 0.5)
            until(lambda: ready(pool).pid != first)
            monkeypatch.setattr(pools, "SILENT_SECONDS", 300)  # the next one answers, however busy this machine is
            assert run_code(pool, OK).outcome.kind == "ok"
            tell(first)
        assert (slow[0].outcome.kind, slow[0].result) == ("ok", b"okok")
        wait_until_dead(first)


def test_a_zygote_that_begins_jobs_is_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, ahead = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock() + ahead[0])
    monkeypatch.setattr(pools, "SILENT_SECONDS", 600)
    monkeypatch.setattr(Pool, "_ping", lambda pool: None)
    with started() as pool:
        zygote = ready(pool).pid
        for _ in range(5):
            assert run_code(pool, OK).outcome.kind == "ok"
            ahead[0] += 400
        assert run_code(pool, OK).outcome.kind == "ok"
        assert ready(pool).pid == zygote


def test_a_job_given_to_a_zygote_that_hangs_is_done_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "START_SECONDS", 1.0)
    suspect = Pool.suspect

    def suspect_once(pool: Pool, process: Process, why: str) -> None:
        monkeypatch.setattr(runs, "START_SECONDS", 300)  # the next one begins it, however busy this machine is
        suspect(pool, process, why)

    monkeypatch.setattr(Pool, "suspect", suspect_once)
    with started() as pool:
        hanging = ready(pool).pid
        os.kill(hanging, signal.SIGSTOP)
        assert run_code(pool, OK).outcome.kind == "ok"
        assert ready(pool).pid != hanging


def test_a_job_that_no_zygote_begins_may_be_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "START_SECONDS", 0.0)
    with started() as pool:
        os.kill(ready(pool).pid, signal.SIGSTOP)
        monkeypatch.setattr(runs, "HAND_OVERS", 1)
        outcome = run_code(pool, OK).outcome
        assert outcome.kind == "supervisor-lost" and outcome.rerun


@pytest.mark.parametrize(
    ("warm", "says"),
    [
        (
            "import threading; threading.Thread(target=time.sleep, args=(600,), daemon=True).start()",
            "left 1 threads running",
        ),
        ("raise ValueError('too cold')", "ValueError: too cold"),
        ("os._exit(3)", "it ended by itself"),
    ],
)
def test_a_zygote_that_can_not_be_warmed_says_why(warm: str, says: str) -> None:
    with started(WARM=warm) as pool:
        outcome = run_code(pool, OK).outcome
    assert outcome.kind == "sandbox-error" and says in outcome.detail


def test_a_job_that_waits_for_a_zygote_can_be_cancelled() -> None:
    with started(WARM="time.sleep(600)") as pool:
        assert run_code(pool, OK, cancelled=lambda log: True).outcome.kind == "cancelled"


@pytest.mark.parametrize("tier", TIERS)
def test_closing_ends_everything_and_leaves_no_file(tier: Tier) -> None:
    with started(tier) as pool:
        root = pool.plan.root
        zygote = ready(pool).pid
        with in_background(pool, WAITS) as lost:
            family = below(zygote)
            groups = set(re.findall(r"graphcap-\w+", "".join(Path(f"/proc/{pid}/cgroup").read_text() for pid in family)))
            pool.close()
        assert lost[0].outcome.kind == "supervisor-lost"
        wait_until_dead(zygote, *family)
        assert list(root.iterdir()) == []
    assert not [path for path in Path("/sys/fs/cgroup").glob("**/graphcap-*") if path.name in groups]


SERVER = """
import sys
sys.path[:0] = [{here!r}, {root!r}]
from zygotes import run_code, started, ready
JOB = "os.fork() or os.setsid(); os.write(1, b'.'); time.sleep(600)"
with started({tier!r}) as pool:
    print(ready(pool).pid, flush=True)
    run_code(pool, JOB, told=lambda data: print("job", flush=True))
"""


@pytest.mark.parametrize("tier", TIERS)
def test_nothing_outlives_a_server_that_is_killed(tier: Tier) -> None:
    code = SERVER.format(here=HERE, root=ROOT, tier=tier)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        zygote = int(server.stdout.readline())
        assert server.stdout.readline() == "job\n"
        family = below(zygote)
        assert len(family) >= 3
        server.kill()
    wait_until_dead(zygote, *family)


@pytest.mark.parametrize("tier", TIERS)
def test_two_hundred_jobs_in_a_row_and_eight_at_once_leave_nothing(tier: Tier) -> None:
    with started(tier) as pool:
        run_code(pool, OK)
        zygote = ready(pool).pid
        until(lambda: settled(zygote))
        before, size = counted(zygote), size_of(zygote)
        for i in range(200):
            code = OK if i % 10 else "import ctypes; ctypes.string_at(0)"
            assert run_code(pool, code).outcome.kind == ("ok" if i % 10 else "crashed")
        ran: list[Ran] = []
        threads = [threading.Thread(target=lambda: ran.append(run_code(pool, f"time.sleep(0.2); {OK}"))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [one.outcome.kind for one in ran] == ["ok"] * 8
        until(lambda: settled(zygote) and all(counted(zygote) == before for _ in range(20)))
        assert ready(pool).pid == zygote
        assert size_of(zygote) - size < 4 << 20


def counted(zygote: int) -> tuple[int, int, int]:
    """Open descriptors here and in the zygote, and the processes below it."""
    time.sleep(0.01)
    return held_by(os.getpid()), held_by(zygote), len(below(zygote))


def held_by(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def size_of(pid: int) -> int:
    """Resident memory, in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def settled(zygote: int) -> bool:
    """Whether the next job is made ready: its supervisor and itself wait."""
    return any(len(below(pid)) >= 1 for pid in below(zygote))
