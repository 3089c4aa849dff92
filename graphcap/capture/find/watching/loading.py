"""A DataLoader loads its data in the process of the script, where that can start no workers, as in a jail."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from torch.utils.data import DataLoader

NOTE = "graphcap: the worker processes of a DataLoader can not be started here ({why}); it loads in this process.\n"


@contextlib.contextmanager
def loading_here() -> Iterator[None]:
    """While it is open. What is said of it is printed, once for each loader."""
    owner: Any = DataLoader
    original = owner._get_iterator

    def get_iterator(self: Any) -> Any:
        try:
            return original(self)
        except (OSError, RuntimeError) as error:
            if not self.num_workers or not _of_processes(error):
                raise
            sys.stderr.write(NOTE.format(why=f"{type(error).__name__}: {error}"))
            self.num_workers, self.timeout = 0, 0
            return original(self)

    owner._get_iterator = get_iterator
    try:
        yield
    finally:
        owner._get_iterator = original


def _of_processes(error: BaseException) -> bool:
    """Whether it was raised as queues and processes were made, and not by the person's own code."""
    return any("multiprocessing" in frame.filename for frame in traceback.extract_tb(error.__traceback__))
