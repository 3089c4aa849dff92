"""``python -m graphcap.client.making.child FOLDER FD REQUEST WHERE``: process P of a capture, in one's own environment."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from graphcap.graph.codec import decode
from graphcap.graph.stream import Request

UNLIMITED = 1 << 62
"""Bytes of address space. A limit that is set already is left as it is by the capture: here is none, and CUDA takes much."""


MAX_FILES = 2_000
NO_CODE = ("node_modules", "site-packages")
"""Folders of code that is not the person's own."""


def main(folder: str, fd: str, request: str, where: str) -> int:
    """Captures the file that `request` names in `folder`; what it finds is written to the descriptor `fd`.

    `where`: `copied`, all of the folder was submitted; `in-place`, it is the person's own: the code in it belongs to the
    submission, and weights that happen to lie there do not.
    """
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (UNLIMITED, UNLIMITED))
    from graphcap.capture.worker import capture

    users = code_in(Path(folder)) if where == "in-place" else None
    return capture(decode(request.encode(), Request), Path(folder), int(fd), users=users)


def code_in(folder: Path) -> dict[str, str]:
    """Absolute path -> name for the Python files of a person's own folder, without environments and hidden folders."""
    found: dict[str, str] = {}
    for root, folders, names in os.walk(folder):
        folders[:] = [
            each
            for each in folders
            if not each.startswith((".", "__")) and each not in NO_CODE and not Path(root, each, "pyvenv.cfg").exists()
        ]
        for name in names:
            if name.endswith(".py"):
                path = Path(root, name)
                found[str(path)] = found[os.path.realpath(path)] = path.relative_to(folder).as_posix()
        if len(found) >= MAX_FILES:
            break
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
