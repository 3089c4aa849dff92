"""What the zygote holds is moved into large pages without a change to it; a kernel that refuses leaves all as it was."""

from __future__ import annotations

import hashlib
import mmap
import os

from graphcap.sandbox.zygote import large_pages


def test_memory_is_the_same_in_large_pages_and_in_forks_that_write_to_it() -> None:
    held = mmap.mmap(-1, 8 * large_pages.LARGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, len(held), 64):
        held[at : at + 8] = at.to_bytes(8, "little")
    before = hashlib.sha256(held).hexdigest()
    large_pages.collapse()
    assert hashlib.sha256(held).hexdigest() == before
    child = os.fork()
    if child == 0:
        held[: len(held)] = bytes(len(held))
        os._exit(hashlib.sha256(held).hexdigest() == before)
    assert os.waitpid(child, 0)[1] == 0
    assert hashlib.sha256(held).hexdigest() == before
