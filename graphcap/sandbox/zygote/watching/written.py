"""What a job has written, where no file system of its own bounds it: looked up several times a second."""

from __future__ import annotations

import os
from pathlib import Path

BLOCK = 512  # of st_blocks, stat(2)


def beyond(folder: Path, most_bytes: int, most_files: int) -> bool:
    """Whether what lies below `folder` takes more than `most_bytes` on disk or is more than `most_files` files and folders.

    A folder that can not be looked into (its path too long, its rights taken away) counts as beyond. A file that was
    deleted and is still open is not seen; each is bounded by RLIMIT_FSIZE, and their number by RLIMIT_NOFILE.
    """
    pending, size, count = [str(folder)], 0, 0
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    count += 1
                    try:
                        size += entry.stat(follow_symlinks=False).st_blocks * BLOCK
                    except FileNotFoundError:
                        continue
                    if size > most_bytes or count > most_files:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except FileNotFoundError:
            continue
        except OSError:
            return True
    return False
