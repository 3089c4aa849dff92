"""What is planted for attacks to find or break, and whether it is as it was. All of it belongs to the jobs' own user."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from graphcap.sandbox.jail.policy import JOB_ID

MARK = "CANARY-"
"""What every secret begins with."""

WHOLE = b"the canary lives\n"


@dataclasses.dataclass(frozen=True)
class Planted:
    """One secret in many places; files, folders, listeners and a process that nothing may touch."""

    secret: str
    folder: Path
    tcp: socket.socket
    udp: socket.socket
    unix: socket.socket
    abstract: socket.socket
    sibling: subprocess.Popen[bytes]

    @property
    def for_attacks(self) -> dict[str, object]:
        """Where things are: an attacker may know all but the secret."""
        name = self.abstract.getsockname()
        return {
            "folder": str(self.folder),
            "secret_file": str(self.folder / "secret"),
            "writable": str(self.folder / "canary"),
            "open_folder": str(self.folder / "open"),
            "neighbour": str(self.folder / "neighbour"),
            "unix": str(self.folder / "socket"),
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "abstract": name if isinstance(name, bytes) else name.encode(),
            "sibling": self.sibling.pid,
        }

    def harm(self) -> list[str]:
        """What is not as it was; empty if all is."""
        found = []
        canary = self.folder / "canary"
        if not canary.exists() or canary.read_bytes() != WHOLE:
            found.append("a file of the server's was changed")
        elif canary.stat().st_mode & 0o777 != 0o666:
            found.append("a file's permissions were changed")
        if sorted(os.listdir(self.folder)) != ["canary", "neighbour", "open", "secret", "socket"]:
            found.append("a file of the server's was renamed or removed")
        if os.listdir(self.folder / "open"):
            found.append("a file was made outside the work folder")
        if (self.folder / "neighbour" / "file").read_bytes() != self.secret.encode():
            found.append("another capture's file was changed")
        if self.sibling.poll() is not None or _state(self.sibling.pid) == "T":
            found.append("a sibling process was killed or stopped")
        elif os.getpriority(os.PRIO_PROCESS, self.sibling.pid) != os.nice(0):
            found.append("a sibling process was niced")
        return found + self._heard()

    def _heard(self) -> list[str]:
        found = []
        for name in ("tcp", "unix", "abstract"):
            with contextlib.suppress(BlockingIOError):
                getattr(self, name).accept()[0].close()
                found.append(f"the {name} listener was called")
        with contextlib.suppress(BlockingIOError):
            self.udp.recv(64)
            found.append("the udp listener got a datagram")
        return found


@contextlib.contextmanager
def planted() -> Iterator[Planted]:
    """Until the end of the block."""
    user = JOB_ID if os.geteuid() == 0 else os.geteuid()
    folder = Path(tempfile.mkdtemp(prefix="canaries-", dir="/var/tmp"))
    secret = MARK + secrets.token_hex(16)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        folder.chmod(0o755)
        _plant_files(folder, secret, user)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{secret[-12:]}")
        for listener in (unix, abstract):
            listener.listen()
        for one in (tcp, udp, unix, abstract):
            one.setblocking(False)
        sibling = _sibling(secret, user)
        stack.callback(sibling.wait)
        stack.callback(sibling.kill)
        yield Planted(secret, folder, tcp, udp, unix, abstract, sibling)


def _plant_files(folder: Path, secret: str, user: int) -> None:
    for name, mode in (("open", 0o777), ("neighbour", 0o700)):
        (folder / name).mkdir()
        (folder / name).chmod(mode)
        os.chown(folder / name, user, -1)
    for name, content, mode in (
        ("secret", secret.encode(), 0o644),
        ("canary", WHOLE, 0o666),
        ("neighbour/file", secret.encode(), 0o600),
    ):
        (folder / name).write_bytes(content)
        (folder / name).chmod(mode)
        os.chown(folder / name, user, -1)


def _sibling(secret: str, user: int) -> subprocess.Popen[bytes]:
    """A process of the very user that jobs run as, with the secret in its environment."""
    command = "/usr/bin/sleep" if os.path.exists("/usr/bin/sleep") else "/bin/sleep"
    became = {"user": user, "group": user, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.Popen([command, "3600"], env={"SECRET": secret}, cwd="/", **became)  # type: ignore[call-overload, no-any-return]


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
