"""One tier, tried: a process of its own plays the server, with secrets planted, and lets a jailed job go for them.

Standard library only. Says on standard output, as JSON, a `Report`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import socket
import sys
import tempfile
from typing import Any, NoReturn

from graphcap.sandbox.jail import forks, syscalls, tiers
from graphcap.sandbox.jail.policy import MIB, Policy, Tier
from graphcap.sandbox.jail.selftest import probes
from graphcap.sandbox.jail.walls import landlock

SECRET_VARIABLE = "GRAPHCAP_SELF_TEST_SECRET"
SECONDS = 15  # it takes 0.1; a kernel that hangs must not hang the server's start
CANARY = b"the canary lives"
WORKS = "do what a capture needs"
MEMORY_BYTES = 256 * MIB
PROCESSES = 64


@dataclasses.dataclass(frozen=True)
class Report:
    """`broken`: what the job got away with. `error`: why the jail could not be entered, or did not let it work; or ""."""

    broken: tuple[str, ...]
    error: str
    landlock: int  # the kernel's ABI; 0 without
    user: int  # whom jobs run as


def main() -> None:
    """Arguments: the tier, the paths to be readable as JSON, and the names of layers to leave out as JSON."""
    tier, readable, without = sys.argv[-3], json.loads(sys.argv[-2]), json.loads(sys.argv[-1])
    signal.alarm(SECONDS)
    policy = Policy(
        readable=tuple(readable),
        work=None if tier == "landlock" else Policy.work,
        memory_bytes=MEMORY_BYTES,
        processes=PROCESSES,
        without=frozenset(without),
    )
    with tempfile.TemporaryDirectory(prefix="graphcap-self-test-") as folder:
        print(json.dumps(dataclasses.asdict(_try(tier, policy, folder))))  # noqa: T201 - its result


def _try(tier: Any, policy: Policy, folder: str) -> Report:
    knocks: list[int] = []
    signal.signal(probes.KNOCK, lambda number, frame: knocks.append(number))
    with contextlib.ExitStack() as stack:
        targets, listeners = _plant(folder, stack)
        before = _seen(targets)
        lines = _run_job(tier, policy, targets)
        broken = [name for name in probes.PROBES if lines.get(name) == "out"]
        broken += _harm(targets, before, listeners, knocks)
    error = lines.get("error", "")
    unanswered = [name for name in probes.PROBES if name not in lines]
    if unanswered and not error:
        error = f"the job ended at: {unanswered[0]}"
    return Report(tuple(dict.fromkeys(broken)), error, landlock.abi(), int(lines.get("user", -1)))


def _plant(folder: str, stack: contextlib.ExitStack) -> tuple[probes.Targets, dict[str, socket.socket]]:
    secret = os.environ[SECRET_VARIABLE]
    os.chmod(folder, 0o755)
    secret_file, canary, unix = (os.path.join(folder, name) for name in ("secret", "canary", "socket"))
    for path, content, mode in ((secret_file, secret.encode(), 0o644), (canary, CANARY, 0o666)):
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, mode)
    tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    udp.bind(("127.0.0.1", 0))
    near = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
    near.bind(unix)
    near.listen()
    os.chmod(unix, 0o777)
    targets = probes.Targets(
        folder=folder,
        secret_file=secret_file,
        canary=canary,
        unix=unix,
        tcp_port=tcp.getsockname()[1],
        udp_port=udp.getsockname()[1],
        environment_of=os.getpid(),
        secret=secret,
        memory_bytes=MEMORY_BYTES + 64 * MIB,
    )
    return targets, {"TCP": tcp, "UDP": udp, "Unix socket": near}


def _seen(targets: probes.Targets) -> tuple[bytes, int, bool]:
    with open(targets.canary, "rb") as file:
        return file.read(), os.stat(targets.canary).st_mode, os.path.exists(probes.MARK_IN_ROOT)


def _harm(
    targets: probes.Targets, before: tuple[bytes, int, bool], listeners: dict[str, socket.socket], knocks: list[int]
) -> list[str]:
    """What can be seen from outside, whatever the job says."""
    found = []
    content, mode, marked = (now != then for now, then in zip(_seen(targets), before, strict=True))
    found += ["write a file"] * content + ["change permissions"] * mode + ["write to the root folder"] * marked
    if marked:
        os.unlink(probes.MARK_IN_ROOT)
    for name, listener in listeners.items():
        listener.setblocking(False)
        with contextlib.suppress(OSError):
            if name == "UDP":
                listener.recv(16)
            else:
                listener.accept()[0].close()
            found.append(name)
    return found + ["signal the server"] * bool(knocks)


def _run_job(tier: Tier, policy: Policy, targets: probes.Targets) -> dict[str, str]:
    """What the zygote, the supervisor or the job said, by the first word of the line."""
    told, telling = os.pipe()
    pid = os.fork()
    if pid == 0:
        _zygote(tier, policy, targets, telling)
    os.close(telling)
    with open(told, encoding="utf-8") as lines:
        said = dict(line.rstrip("\n").partition("\t")[::2] for line in lines)
    os.waitpid(pid, 0)
    return said


def _zygote(tier: Tier, policy: Policy, targets: probes.Targets, telling: int) -> NoReturn:
    """The real way into the jail, step by step, in forks of this process."""
    os.environ.clear()
    try:
        _silence()
        syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)  # nothing is left of it when the time is up
        prepared = tiers.prepare_zygote(tier, policy)
        _say(telling, "user", str(prepared.user))
        pid = os.fork()
        if pid == 0:
            syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
            tiers.enter_supervisor(prepared, policy)
            child = forks.fork_job(prepared, keep=(0, 1, 2, telling))
            if child is None:
                tiers.confine_job(prepared, policy)
                _probe(policy, targets, telling)
            os.close(telling)
            os.waitpid(child.pid, 0)
        else:
            os.close(telling)
            os.waitpid(pid, 0)
    except BaseException as error:
        with contextlib.suppress(OSError):
            _say(telling, "error", str(error).replace("\n", " "))
    os._exit(0)


def _silence() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)


def _probe(policy: Policy, targets: probes.Targets, telling: int) -> NoReturn:
    try:
        probes.works(policy.work)
    except BaseException as error:
        _say(telling, "error", f"the jail does not let it {WORKS}: {error}")
    for name, probe in probes.PROBES.items():
        last = probe is probes.execute
        if last:
            _say(telling, name, "out")  # taken back if it fails
        try:
            probe(targets)
            _say(telling, name, "out")
        except BaseException:
            _say(telling, name, "stopped")
    os._exit(0)


def _say(telling: int, name: str, what: str) -> None:
    os.write(telling, f"{name}\t{what}\n".encode())
