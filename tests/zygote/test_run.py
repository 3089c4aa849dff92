"""One job in an unconfined zygote: one test per promise of its supervisor, the hostile ones written as attacks.

Without the walls of the jail the supervisor alone must end everything; tests/attacks has the walls.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from zygotes import LIMITS, MIB, Limits, Ran, alive, changed, run_code, shared, started, until, wait_until_dead


def python(
    code: str,
    folder: Path,
    limits: Limits = LIMITS,
    take: Callable[[bytes], bool] = lambda data: True,
    cancelled: Callable[[bytes], bool] = lambda log: False,
    told: Callable[[bytes], None] = lambda log: None,
) -> Ran:
    """Runs the code in `folder`."""
    return run_code(shared(), f"os.chdir({str(folder)!r})\n{code}", limits, take, cancelled, told=told)


# -------------------------------------------------------------------------------------------------------- how it ends


def test_a_result_and_a_log_arrive_whole(tmp_path: Path) -> None:
    ran = python("os.write(OUT, b'x' * 90_000); print('hello'); print('oops', file=sys.stderr)", tmp_path)
    assert (ran.outcome.kind, ran.outcome.exit_code, ran.outcome.signal) == ("ok", 0, "")
    assert ran.result == b"x" * 90_000 and ran.outcome.result_bytes == 90_000
    assert sorted(ran.log.split()) == [b"hello", b"oops"]
    assert ran.outcome.cpu_seconds > 0 and ran.outcome.peak_bytes > MIB


@pytest.mark.parametrize(
    ("code", "kind", "exit_code", "name"),
    [
        ("pass", "no-result", 0, ""),
        ("os.write(OUT, b'r'); sys.exit(3)", "user-error", 3, ""),
        ("os._exit(4)", "user-error", 4, ""),
        ("raise ValueError('x')", "user-error", 1, ""),
        ("import ctypes; ctypes.string_at(0)", "crashed", None, "SIGSEGV"),
        ("os.abort()", "crashed", None, "SIGABRT"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed", None, "SIGKILL"),
        ("os.kill(os.getpid(), 40)", "crashed", None, "signal 40"),
    ],
)
def test_every_end_has_its_name(tmp_path: Path, code: str, kind: str, exit_code: int | None, name: str) -> None:
    outcome = python(code, tmp_path).outcome
    assert (outcome.kind, outcome.exit_code, outcome.signal) == (kind, exit_code, name)


def test_what_came_before_a_crash_is_kept(tmp_path: Path) -> None:
    ran = python("os.write(OUT, b'before'); print('last words', flush=True); os.abort()", tmp_path)
    assert (ran.outcome.kind, ran.result, ran.log) == ("crashed", b"before", b"last words\n")


def test_a_module_that_is_not_there() -> None:
    with started(module="no_such_module") as pool:
        outcome = run_code(pool, "pass").outcome
    assert outcome.kind == "sandbox-error" and "ModuleNotFoundError: No module named 'no_such_module'" in outcome.detail


# ------------------------------------------------------------------------------------------------------------- limits

SLEEP = "os.write(1, str(os.getpid()).encode() + bytes([10])); time.sleep(600)"
DEAF = "[signal.signal(n, signal.SIG_IGN) for n in (15, 2, 1, 24)]; " + SLEEP


@pytest.mark.parametrize("code", [SLEEP, DEAF, "print(os.getpid(), flush=True); os.kill(os.getpid(), signal.SIGSTOP)"])
def test_the_wall_clock_ends_what_sleeps_ignores_or_stops_itself(tmp_path: Path, code: str) -> None:
    ran = python(code, tmp_path, changed(wall_seconds=2))
    assert (ran.outcome.kind, ran.outcome.signal) == ("timeout", "")
    assert len(ran.pids) == 1
    wait_until_dead(*ran.pids)


def test_a_loop_ends_at_the_cpu_limit(tmp_path: Path) -> None:
    assert python("while True: pass", tmp_path, changed(cpu_seconds=1)).outcome.kind == "cpu-limit"


def test_too_much_memory_is_an_error_the_code_sees(tmp_path: Path) -> None:
    ran = python("try: bytearray(10 ** 12)\nexcept MemoryError: os.write(OUT, b'refused')", tmp_path)
    assert (ran.outcome.kind, ran.result) == ("ok", b"refused")


def test_a_large_file_many_descriptors_and_a_core_dump_are_refused(tmp_path: Path) -> None:
    code = f"""
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try: open("big", "wb").write(b"x" * {2 * MIB})
except OSError as e: print(e.strerror)
try: many = [open("/dev/null") for _ in range(100)]
except OSError as e: print(e.strerror, flush=True)
os.abort()
"""
    ran = python(code, tmp_path)
    assert ran.log.decode().splitlines() == ["File too large", "Too many open files"]
    assert (tmp_path / "big").stat().st_size <= MIB
    assert [path.name for path in tmp_path.iterdir() if "core" in path.name] == []


def test_processes_are_limited_beyond_those_the_user_has(tmp_path: Path) -> None:
    code = "import resource; print(*resource.getrlimit(resource.RLIMIT_NPROC))"
    soft, hard = map(int, python(code, tmp_path, changed(processes=300)).log.split())
    assert soft == hard > 300


def test_a_command_with_too_many_processes_is_ended(tmp_path: Path) -> None:
    """Also as root, whom the kernel lets have any number."""
    code = """
for _ in range(200):
    try:
        if os.fork() == 0: os.setsid(); time.sleep(600)
    except BlockingIOError: print("refused", flush=True); break
time.sleep(600)
"""
    ran = python(code, tmp_path, changed(processes=100, wall_seconds=30))
    if os.getuid() == 0:
        assert (ran.outcome.kind, ran.outcome.signal) == ("process-limit", "")
    else:
        assert ran.log == b"refused\n"


def test_limits_are_hard_ones_too(tmp_path: Path) -> None:
    code = """
import resource
for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE): print(*resource.getrlimit(kind))
with open("/proc/self/statm") as file: print(int(file.read().split()[0]) * resource.getpagesize())
"""
    cpu, memory, files, own = python(code, tmp_path).log.decode().splitlines()
    assert (cpu, files) == ("30 35", f"{MIB} {MIB}")
    soft, hard = map(int, memory.split())
    assert soft == hard and abs(soft - 512 * MIB - int(own)) < 64 * MIB  # beside what the zygote has


def test_a_log_flood_is_cut_and_counted(tmp_path: Path) -> None:
    ran = python("for i in range(200): os.write(1, b'y' * 65536)\nos.write(OUT, b'done')", tmp_path)
    assert (ran.outcome.kind, ran.result, ran.log) == ("ok", b"done", b"y" * 10_000)
    assert ran.outcome.log_cut == 200 * 65536 - 10_000


def test_an_endless_log_flood_ends_at_the_wall_clock(tmp_path: Path) -> None:
    ran = python("while True: os.write(1, b'y' * 65536)", tmp_path, changed(wall_seconds=1))
    assert ran.outcome.kind == "timeout" and len(ran.log) == 10_000


def test_a_result_flood_is_stopped_at_its_limit(tmp_path: Path) -> None:
    ran = python("while True: os.write(OUT, b'z' * 65536)", tmp_path)
    assert ran.outcome.kind == "invalid-result" and "more than 100000 bytes" in ran.outcome.detail
    assert len(ran.result) <= 100_000


def test_a_result_that_is_refused_stops_the_run(tmp_path: Path) -> None:
    ran = python("os.write(OUT, b'bad'); print(os.getpid(), flush=True); time.sleep(600)", tmp_path, take=lambda data: False)
    assert ran.outcome.kind == "invalid-result" and "refused" in ran.outcome.detail
    wait_until_dead(*ran.pids)


def test_an_exception_of_the_caller_ends_the_run_first(tmp_path: Path) -> None:
    seen: list[bytes] = []

    def take(data: bytes) -> bool:
        seen.append(data)
        raise KeyError("ours")

    with pytest.raises(KeyError):
        python("os.write(OUT, str(os.getpid()).encode()); time.sleep(600)", tmp_path, take=take)
    wait_until_dead(int(seen[0]))


# --------------------------------------------------------------------------------------------------- nothing outlives it

DAEMON = """
READY = os.pipe()
def daemon(depth):
    if os.fork() == 0:
        os.setsid()
        if depth: daemon(depth - 1)
        else:
            os.write(1, str(os.getpid()).encode() + bytes([10]))
            os.write(READY[1], b".")
            time.sleep(600)
        os._exit(0)
def ready(count):
    while count: count -= len(os.read(READY[0], count))
"""


@pytest.mark.parametrize(
    ("end", "kind", "wall"),
    [("os.write(OUT, b'ok')", "ok", 60), ("os.abort()", "crashed", 60), ("time.sleep(600)", "timeout", 2)],
)
def test_daemons_that_left_the_session_die_with_the_command(tmp_path: Path, end: str, kind: str, wall: float) -> None:
    ran = python(DAEMON + f"daemon(0); daemon(1); daemon(2)\nready(3)\n{end}", tmp_path, changed(wall_seconds=wall))
    assert ran.outcome.kind == kind
    assert len(ran.pids) == 3
    wait_until_dead(*ran.pids)


def test_a_survivor_that_holds_the_pipes_open_holds_nothing_up(tmp_path: Path) -> None:
    """The command dies while others still write; the run is over all the same."""
    code = "if os.fork() == 0:\n  os.setsid()\n  while True: os.write(1, b'x'); os.write(OUT, b'y')\ntime.sleep(0.2)"
    assert python(code, tmp_path).outcome.kind in ("ok", "invalid-result")


def test_children_that_fork_without_pause_die_too(tmp_path: Path) -> None:
    code = """
n = 0
while n < 60:
    n += 1
    if os.fork() == 0: os.setsid(); time.sleep(600)
os.write(1, str(os.getpid()).encode() + bytes([10]))
os.write(OUT, b'ok')
"""
    assert python(code, tmp_path).outcome.kind == "ok"


def test_cancelling_kills_everything(tmp_path: Path) -> None:
    ran = python(DAEMON + "daemon(1)\n" + DEAF, tmp_path, cancelled=lambda log: log.count(b"\n") == 2)
    assert ran.outcome.kind == "cancelled" and ran.outcome.signal == ""
    assert len(ran.pids) == 2
    wait_until_dead(*ran.pids)


KILL_SUPERVISOR = """
daemon(1)
os.write(1, str(os.getpid()).encode() + bytes([10]))
ready(1)
os.kill(os.getppid(), signal.SIGKILL)
time.sleep(600)
"""


def test_a_command_that_kills_its_supervisor_gains_nothing(tmp_path: Path) -> None:
    ran = python(DAEMON + KILL_SUPERVISOR, tmp_path)
    assert ran.outcome.kind == "supervisor-lost"
    assert len(ran.pids) == 2
    wait_until_dead(*ran.pids)


def test_a_command_that_writes_into_its_supervisors_descriptors_gains_nothing(tmp_path: Path) -> None:
    code = """
junk = b'{"status": "x"}\\n[[[[\\n{"stat'
for name in os.listdir(f"/proc/{os.getppid()}/fd"):
    try:
        with open(f"/proc/{os.getppid()}/fd/{name}", "wb", buffering=0) as file: file.write(junk)
    except OSError: pass
os.write(OUT, b'ok')
"""
    assert python(code, tmp_path).outcome.kind in ("ok", "supervisor-lost")


SERVER = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_run import DAEMON, DEAF, python
def told(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
python(DAEMON + "daemon(1)\\n" + DEAF, Path({folder!r}), told=told)
"""


def test_nothing_outlives_the_server(tmp_path: Path) -> None:
    code = SERVER.format(tests=str(Path(__file__).parent), folder=str(tmp_path))
    server = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE)
    assert server.stdout is not None
    pids = [int(server.stdout.readline()) for _ in range(2)]
    assert all(alive(pid) for pid in pids)
    server.kill()
    server.wait()
    server.stdout.close()
    wait_until_dead(*pids)


def test_no_descriptor_process_or_thread_is_left_behind(tmp_path: Path) -> None:
    def held() -> tuple[int, int, int]:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        return len(os.listdir("/proc/self/fd")), len(children), threading.active_count()

    python("pass", tmp_path)  # the pool is there
    before = held()
    for code in ("os.write(OUT, b'x')", "os.abort()", "time.sleep(600)", "while True: os.write(OUT, b'z' * 9999)"):
        python(code, tmp_path, changed(wall_seconds=0.5))
    until(lambda: held() == before)


# ------------------------------------------------------------------------------------------------------- what it sees


def test_the_environment_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHCAP_DATABASE_URL", "postgresql://user:secret@db/")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("http_proxy", "http://user:secret@proxy/")
    code = "import json; print(json.dumps([dict(os.environ), {n: os.path.isdir(os.environ[n]) for n in os.environ}]))"
    with started(GIVEN="/here") as pool:
        ran = run_code(pool, code + "; print(str(folder))")
    text, folder = ran.log.decode().splitlines()
    seen, are_folders = json.loads(text)
    assert "secret" not in ran.log.decode()
    assert not [name for name in seen if name.startswith("GRAPHCAP_")]
    assert seen["GIVEN"] == "/here" and seen["OMP_NUM_THREADS"] == "1" and seen["PYTHONUNBUFFERED"] == "1"
    for name in ("HOME", "TMPDIR", "TORCHINDUCTOR_CACHE_DIR", "XDG_CACHE_HOME"):
        assert Path(seen[name]).is_relative_to(folder) and are_folders[name]


def test_descriptors_session_and_standard_input_are_its_own() -> None:
    with open("/dev/null") as held:
        os.set_inheritable(held.fileno(), True)
        code = """
listed = [int(n) for n in os.listdir("/proc/self/fd")]
print(sorted(n for n in listed if n < 4 or os.path.exists(f"/proc/self/fd/{n}")))
print(os.read(0, 1) == b"", os.getsid(0) == os.getpid(), os.getpgid(0) == os.getpid(), os.getcwd() == str(folder / "code"))
print(signal.pthread_sigmask(signal.SIG_BLOCK, []) == set(), signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL)
"""
        ran = run_code(shared(), code)
    assert ran.log.decode().splitlines() == ["[0, 1, 2, 3]", "True True True True", "True True"]


def test_low_descriptor_numbers_of_the_server_do_not_get_mixed_up(tmp_path: Path) -> None:
    """With descriptor 0 and 3 free in the server, its pipes take these numbers."""
    code = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from test_run import python
os.close(0)
os.closerange(3, 20)
ran = python("print('log'); os.write(OUT, b'result')", Path({str(tmp_path)!r}))
print(ran.outcome.kind, ran.log, ran.result)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "ok b'log\\n' b'result'\n", done.stderr
