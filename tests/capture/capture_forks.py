"""Runs a piece of work in a fork: what it imports, patches and compiles is gone afterwards."""

from __future__ import annotations

import os
import pickle
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def in_fork(work: Callable[[], T]) -> T:
    """What `work` returns; its exception as an AssertionError with the whole trace."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            said = pickle.dumps((True, work()))
        except BaseException:
            said = pickle.dumps((False, traceback.format_exc()))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(said)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    assert said, "the fork died"
    fine, result = pickle.loads(said)
    assert fine, result
    return result  # type: ignore[no-any-return]


def put(folder: Path, files: Mapping[str, bytes | str]) -> None:
    """Writes them below the folder, which gets the folders in their names."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
