"""What a job finds: its folder, its descriptors, its identity, the files of Python, and what a capture needs working."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphcap.sandbox.jail.policy import JOB_ID
from tests.jail.jailed import AS_ROOT, ORDINARY, STARTERS, TIERS, run

both = pytest.mark.parametrize("tier", TIERS)
anybody = pytest.mark.parametrize("starter", STARTERS)


@anybody
def test_work_folder_is_its_own_and_bounded(starter: str) -> None:
    code = """
    import tempfile, errno
    print(os.getcwd(), os.listdir("."), oct(os.stat(".").st_mode & 0o777), os.stat(".").st_uid == os.getuid())
    with tempfile.NamedTemporaryFile(dir=".") as file:
        file.write(b"x"); file.flush(); os.chmod(file.name, 0o600); os.utime(file.name)
    os.mkdir("a"); os.rename("a", "b"); os.symlink("b", "c"); os.rmdir("b")
    def fill():
        for n in range(100):
            with open(f"big{n}", "wb") as file: file.write(bytes(1 << 20))
    def many():
        for n in range(1000): open(f"small{n}", "w").close()
    for probe in (fill, many):
        try: probe(); print("filled")
        except OSError as error: print(errno.errorcode[error.errno])
        for name in os.listdir("."): os.unlink(name)
    """
    ended = run(code, code, tier="namespaces", starter=starter, work_bytes=8 << 20, work_files=200)
    assert ended.lines == ["/job [] 0o700 True", "ENOSPC", "ENOSPC"] * 2, "the second job finds nothing of the first"
    assert ended.statuses == (0, 0)


def test_a_library_of_its_own_cannot_be_loaded_from_the_work_folder() -> None:
    code = """
    import shutil, math
    shutil.copyfile(math.__file__, "library.so")
    attempt(lambda: ctypes.CDLL("./library.so"))
    attempt(lambda: ctypes.CDLL(math.__file__))
    """
    ended = run(code, tier="namespaces").lines
    assert ended[0].startswith("stopped: OSError") and ended[1] == "out"


def test_tier_two_writes_where_it_may_and_nowhere_else(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    for folder in (mine, other):
        folder.mkdir()
        folder.chmod(0o777)
    for parent in (tmp_path, *tmp_path.parents):
        if parent.stat().st_uid == os.getuid() and parent != Path("/"):
            parent.chmod(0o755)
    code = f"""
    attempt(lambda: open("{mine}/file", "w").write("x"))
    attempt(lambda: os.rename("{mine}/file", "{mine}/moved"))
    attempt(lambda: os.truncate("{mine}/moved", 0))
    attempt(lambda: open("{other}/file", "w"))
    attempt(lambda: os.link("{mine}/moved", "{other}/linked"))
    attempt(lambda: os.chmod("{mine}/moved", 0o777))
    attempt(lambda: os.mkfifo("{mine}/pipe"))
    """
    starter = "open root" if AS_ROOT else "ordinary"
    lines = run(code, tier="landlock", starter=starter, work=str(mine)).lines
    assert [line.partition(":")[0] for line in lines] == ["out"] * 3 + ["stopped"] * 4
    assert os.listdir(other) == []


@both
@anybody
def test_identity(tier: str, starter: str) -> None:
    code = """
    print(os.getresuid(), os.getresgid(), os.getgroups())
    header = (ctypes.c_uint32 * 2)(0x20080522, 0); sets = (ctypes.c_uint32 * 6)()
    ctypes.CDLL(None).capget(header, sets); print(sum(sets))
    print(ctypes.CDLL(None).prctl(39, 0, 0, 0, 0), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))  # no_new_privs, dumpable
    attempt(lambda: os.setuid(0))
    """
    user = ORDINARY if starter == "ordinary" and AS_ROOT else JOB_ID if AS_ROOT else os.getuid()
    lines = run(code, tier=tier, starter=starter).lines
    assert lines[0].startswith(f"{(user, user, user)} {(user, user, user)}")
    assert lines[1:3] == ["0", "1 0"] and lines[3].startswith("stopped")


@pytest.mark.skipif(not AS_ROOT, reason="an ordinary user has no other id to take")
@both
def test_root_would_stay_root_without_the_layer(tier: str) -> None:
    assert run("print(os.getuid())", tier=tier, without=["ids"]).text == "0", "the probe of the identity is blind"


@both
def test_no_descriptor_but_its_own(tier: str) -> None:
    code = """
    found = []
    for number in range(2000):
        try: os.fstat(number); found.append(number)
        except OSError: pass
    print(found)
    """
    before = "held = [os.open('/etc/passwd', os.O_RDONLY) for _ in range(20)]; os.dup2(held[0], 1500)"
    assert run(code, tier=tier, before=before).text == "[0, 1, 2]"


@both
def test_environment_files_and_names_of_the_machine(tier: str) -> None:
    code = """
    for path in ("/etc/passwd", "/etc/hostname", "/proc/self/environ", "/proc/cpuinfo", "/sys/kernel", "/dev/mem",
                 "/dev/shm", "/home", "/root", "/var/log", "/tmp", os.path.dirname(sys.executable)):
        for attempt_at in (open, os.listdir):
            try: attempt_at(path); print("opened", path)
            except OSError: pass
    """
    assert run(code, tier=tier).text == ""


@both
def test_what_a_capture_needs_works(tier: str) -> None:
    code = """
    import wave, threading, faulthandler, sqlite3, subprocess, random, hashlib, decimal
    thread = threading.Thread(target=print, args=("thread",)); thread.start(); thread.join()
    faulthandler.enable(); faulthandler.dump_traceback_later(60); faulthandler.cancel_dump_traceback_later()
    memory = os.memfd_create("m", os.MFD_ALLOW_SEALING); os.write(memory, b"x"); import fcntl
    fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)
    attempt(lambda: os.write(memory, b"y" * 10))
    print(len(open("/dev/urandom", "rb").read(4)), open("/dev/null", "w").write("x"), len(os.urandom(3)))
    callback = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 5); print(callback())
    alarms = []; signal.signal(signal.SIGALRM, lambda *_: alarms.append("alarm")); signal.setitimer(signal.ITIMER_REAL, 0.01)
    while not alarms: time.sleep(0.01)
    print(*alarms)
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    """
    lines = run(code, tier=tier, allow_memfd=True).lines
    assert lines[0] == "thread" and lines[1].startswith("stopped") and lines[2:] == ["4 1 3", "5", "alarm"]


@both
def test_limits_hold_for_everything_it_starts(tier: str) -> None:
    code = """
    import resource
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    attempt(lambda: resource.setrlimit(resource.RLIMIT_AS, (hard + 1, hard + 1)))
    pids = []
    try:
        while len(pids) < 200:
            pid = os.fork()
            if pid == 0:
                while True: time.sleep(1)
            pids.append(pid)
    except OSError as error:
        print(error.errno)
    for pid in pids: os.kill(pid, 9)
    print(len(pids) < 20)
    """
    lines = run(code, tier=tier, allow_fork=True, processes=16).lines
    assert lines[0].startswith("stopped") and lines[1:] == ["11", "True"]
