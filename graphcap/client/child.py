"""``python -m graphcap.client.child FOLDER FD REQUEST``: process P of a capture, in a person's own environment."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from graphcap.graph.codec import decode
from graphcap.graph.stream import Request

UNLIMITED = 1 << 62
"""Bytes of address space. A limit that is set already is left as it is by the capture: here is none, and CUDA takes much."""


def main(folder: str, fd: str, request: str) -> int:
    """Captures the file that `request` names in `folder`; what it finds is written to the descriptor `fd`."""
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (UNLIMITED, UNLIMITED))
    from graphcap.capture.worker import capture

    return capture(decode(request.encode(), Request), Path(folder), int(fd))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
