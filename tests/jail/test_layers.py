"""Each wall of the jail alone stops what it is there for, and without any, nothing does: so the probes have teeth."""

from __future__ import annotations

import dataclasses
import uuid
from pathlib import Path

import pytest

from tests.jail.jailed import LAYERS, STARTERS, TIERS, run

BEFORE = """
import mmap, socket, threading
listener = socket.create_server(("127.0.0.1", 0))
port = listener.getsockname()[1]
near = socket.socket(socket.AF_UNIX)
near.bind("\\0graphcap-test-%d" % os.getpid())
near.listen()
address = near.getsockname()
other = sibling(policy.job_id)
libc = ctypes.CDLL(None)
key = 0x67000000 + os.getpid()
shared = libc.shmget(key, 4096, 0o1666)
assert shared >= 0
def many_threads():
    threading.stack_size(1 << 18)
    end = threading.Event()
    for _ in range(200):
        threading.Thread(target=end.wait, daemon=True).start()
"""
AFTER = "libc.shmctl(shared, 0, None); syscall('kill', other, 9) if os.geteuid() in (0, os.getuid()) else None"

READ = "open('/etc/passwd').read()"
LIST = "os.listdir('/usr/share')"
WRITE = "open({scratch!r}, 'w').close()"
TCP = "socket.socket().connect(('127.0.0.1', port))"
ABSTRACT = "socket.socket(socket.AF_UNIX).connect(address)"
SIGNAL = "os.kill(other, 0)"
EXECUTE = "os.execv('/usr/bin/env', ['env', 'echo', 'run a program out'])"

OF_LAYER: dict[str, dict[str, str]] = {
    "root": {"read": READ, "list": LIST, "processes": "os.listdir('/proc/1')"},
    "pid": {"signal": SIGNAL},
    "net": {"tcp": TCP, "abstract socket": ABSTRACT},
    "ipc": {"shared memory": "syscall('shmget', key, 0, 0)"},
    "landlock": {
        "read": READ,
        "list": LIST,
        "write": WRITE,
        "tcp": TCP,
        "abstract socket": ABSTRACT,
        "signal": SIGNAL,
        "run a program": EXECUTE,
    },
    "seccomp": {
        "socket": "socket.socket()",
        "fork": "os.fork() or os._exit(0)",
        "memfd": "os.memfd_create('m')",
        "user namespace": "syscall('unshare', 0x10000000)",
        "memory of processes": "syscall('process_vm_readv', os.getpid(), 0, 0, 0, 0, 0)",
        "shared memory": "syscall('shmget', 0, 4096, 0o1600)",
        "kernel keys": "syscall('keyctl', 0, -2, 1, 0, 0)",
        "run a program": EXECUTE,
    },
    "rlimits": {
        "memory": "mmap.mmap(-1, 3 << 30)",
        "open files": "[os.dup(1) for _ in range(100)]",
        "file size": "os.truncate(os.open({scratch!r}, os.O_RDWR | os.O_CREAT), 1 << 40)",
        "threads": "many_threads()",
    },
}
"""What each layer alone must stop."""

ONLY_IN_NAMESPACES = {"root", "pid", "net", "ipc"}
STARTED_BY = [starter for starter in STARTERS if starter != "root"]
"""A root whose Python is closed to others cannot do without a root folder of its own, in neither tier."""


@dataclasses.dataclass(frozen=True)
class Wall:
    tier: str
    layer: str

    def __str__(self) -> str:
        return f"{self.tier}-{self.layer}"

    def outcomes(self, starter: str, without: set[str]) -> dict[str, str]:
        """Probe -> `out` or `stopped`."""
        scratch = f"/var/tmp/graphcap-test-{uuid.uuid4().hex}"
        probes = {name: code.format(scratch=scratch) for name, code in OF_LAYER[self.layer].items()}
        code = "\n".join(f"print({name!r}, end=' ', flush=True); attempt(lambda: {probe})" for name, probe in probes.items())
        try:
            ended = run(code, tier=self.tier, starter=starter, without=without, before=BEFORE, after=AFTER)
        finally:
            Path(scratch).unlink(missing_ok=True)
        assert "@raised" not in ended.text
        found = {}
        for line in ended.lines:
            name = next(name for name in probes if line.startswith(name))
            found[name] = "out" if line.endswith("out") else "stopped"
        assert found.keys() == probes.keys(), ended.text
        return found


WALLS = [
    Wall(tier, layer) for tier in TIERS for layer in OF_LAYER if tier == "namespaces" or layer not in ONLY_IN_NAMESPACES
]


@pytest.mark.parametrize("starter", STARTED_BY)
@pytest.mark.parametrize("wall", WALLS, ids=str)
def test_wall_alone_stops_it_and_without_it_nothing_does(wall: Wall, starter: str) -> None:
    together = wall.outcomes(starter, set())
    alone = wall.outcomes(starter, set(LAYERS) - {wall.layer})
    nothing = wall.outcomes(starter, set(LAYERS))
    assert set(together.values()) == {"stopped"}, together
    assert set(alone.values()) == {"stopped"}, alone
    assert set(nothing.values()) == {"out"}, f"the probe is blind: {nothing}"
