"""Runs a command as another user, or as root in its place, with this Python where everybody can read it.

    python open_python.py USER COMMAND...

Needs root. Where Python lies in a closed folder (/root), that folder is covered by an open one holding Python only, in a
mount namespace of the command's own. USER 0 stays root: a tier that drops to an ordinary user can then be tried without
the minimal root.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from graphcap.sandbox.jail import syscalls  # noqa: E402


def closed_ancestor(path: str) -> str | None:
    """The topmost folder above `path` that others may not enter."""
    for folder in reversed(Path(path).parents):
        if not os.stat(folder).st_mode & stat.S_IXOTH:
            return str(folder)
    return None


def uncover(path: str) -> None:
    """Makes `path` reachable for everybody, in this mount namespace."""
    closed = closed_ancestor(path)
    if closed is None:
        return
    held = os.open(path, os.O_PATH)
    syscalls.mount("tmpfs", closed, "tmpfs", 0, "mode=0755")
    os.makedirs(path, mode=0o755)
    syscalls.mount(f"/proc/self/fd/{held}", path, "", syscalls.MS_BIND | syscalls.MS_REC)
    os.close(held)


def main() -> None:
    user, command = int(sys.argv[1]), sys.argv[2:]
    os.umask(0o022)
    syscalls.unshare(syscalls.CLONE_NEWNS)
    syscalls.mount("", "/", "", syscalls.MS_REC | syscalls.MS_PRIVATE)
    for path in (sys.base_prefix, sys.prefix, str(ROOT)):
        uncover(path)
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
