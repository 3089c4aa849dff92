"""A fork copies the page tables: 512 times less of them where what the zygote holds lies in large pages.

Forking 300 MB of warm torch takes 10 ms with small pages and 2 ms with large ones, and a capture is five forks.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

MADV_COLLAPSE = 25  # Linux 6.1
LARGE = 2 << 20

_libc = ctypes.CDLL(None)
_libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def collapse() -> None:
    """Moves this process's private memory into large pages, where the kernel can; elsewhere nothing changes."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, rights, _, _, inode, *_ = line.split(maxsplit=5)
        first, last = (int(end, 16) for end in span.split("-"))
        if rights == "rw-p" and inode == "0" and last - first >= LARGE:
            _libc.madvise(first, last - first, MADV_COLLAPSE)
