"""The job: waits to be told, unpacks what was submitted, confines itself, and hands over to the module's `run`."""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
import socket
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from graphcap.sandbox.environment import folders_of
from graphcap.sandbox.jail import cgroups, tiers
from graphcap.sandbox.jail.policy import WORK, Policy
from graphcap.sandbox.zygote import protocol

RESULT = 3
INPUT = 4
CHUNK = 1 << 20
BROKEN = 127  # exit code when the job could not be made ready; the status descriptor says why
FAULT = 1  # exit code when `run` raised, as Python's own


def pack(request: bytes, files: Sequence[tuple[str, bytes]]) -> int:
    """A sealed descriptor of memory with what a job is given: nobody can change it any more, nor make it grow."""
    head = json.dumps({"request": len(request), "files": [[name, len(data)] for name, data in files]}).encode()
    descriptor = os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        for part in (len(head).to_bytes(4, "big"), head, request, *(data for _, data in files)):
            view = memoryview(part)
            while view:
                view = view[os.write(descriptor, view) :]
        _seal(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _seal(descriptor: int) -> None:
    fcntl.fcntl(
        descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
    )


def unpack(descriptor: int, folder: Path) -> bytes:
    """Writes the files into `folder`/code and returns the request."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(descriptor, "rb") as stream:
        head = json.loads(stream.read(int.from_bytes(stream.read(4), "big")))
        request = stream.read(head["request"])
        code = folder / "code"
        code.mkdir(mode=0o700, exist_ok=True)
        for name, size in head["files"]:
            path = code / name
            if not path.resolve().is_relative_to(code.resolve()):
                raise ValueError(f"the submitted name {name!r} leads out of the work folder")
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with path.open("wb") as file:
                while size > 0 and (data := stream.read(min(size, CHUNK))):
                    size -= file.write(data)
    return request


@dataclasses.dataclass(frozen=True)
class Ward:
    """What the zygote has ready for every job."""

    module: Any  # loaded and warm
    prepared: tiers.Prepared
    readable: tuple[str, ...]
    pool: cgroups.Pool | None


def policy_of(start: protocol.Start, ward: Ward, input_bytes: int) -> Policy:
    """What the job may do. Its tmpfs has room for what was submitted beside what it may write itself."""
    limits = start.limits
    return Policy(
        readable=ward.readable,
        work=WORK if ward.prepared.tier == "namespaces" else start.folder,
        work_bytes=limits.file_bytes + input_bytes,
        work_files=limits.files,
        memory_bytes=limits.memory_bytes,
        cpu_seconds=limits.cpu_seconds,
        file_bytes=limits.file_bytes,
        open_files=limits.open_files,
        processes=limits.processes,
        allow_fork=True,
    )


def work(channel: socket.socket, ward: Ward) -> NoReturn:
    """Waits for the job on `channel` and does it. Never returns; the exit code is that of the module's `run`."""
    code, status = BROKEN, -1
    try:
        os.setsid()
        os.umask(0o077)
        received = protocol.from_server(channel)
        if received is None or not isinstance(received[0], protocol.Start):
            os._exit(0)  # none comes
        start, (given, result, log, status) = received[0], received[1]
        channel.close()
        policy = policy_of(start, ward, os.fstat(given).st_size)
        _place(given, result, log)
        folder = Path(str(policy.work))
        request = unpack(INPUT, folder)
        _settle(folder)
        tiers.confine_job(ward.prepared, policy)
        os.close(status)
        code = FAULT
        code = ward.module.run(request, folder, RESULT, tiers.forbid_fork)
    except SystemExit as stop:
        code = _exit_code(stop)
    except BaseException as error:
        if code == BROKEN:
            os.write(status, json.dumps({"error": f"{type(error).__name__}: {error}"}).encode() + b"\n")
        else:
            traceback.print_exc()
    finally:
        _leave(code)


def _place(given: int, result: int, log: int) -> None:
    """The descriptors at the numbers the job knows, and nowhere else. What was passed has higher numbers."""
    null = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    for here, number in ((null, 0), (log, 1), (log, 2), (result, RESULT), (given, INPUT)):
        os.dup2(here, number)
    for descriptor in (null, given, result, log):
        os.close(descriptor)


def _settle(folder: Path) -> None:
    """In the work folder, with an environment whose folders lie in it."""
    os.environ |= {name: str(path) for name, path in folders_of(folder / "home").items()}
    tempfile.tempdir = None  # the zygote may have asked, and the answer is kept
    os.chdir(folder / "code")


def _exit_code(stop: SystemExit) -> int:
    """As the interpreter would have it."""
    if stop.code is None or isinstance(stop.code, int):
        return (stop.code or 0) & 0xFF
    sys.stderr.write(f"{stop.code}\n")
    return FAULT


def _leave(code: int) -> NoReturn:
    """Everything is said; what else would run at an end belongs to a stranger."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # the stranger's code may have closed or replaced it
            continue
    os._exit(code)
