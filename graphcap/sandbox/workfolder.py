"""The folder of one job that can have no file system of its own: private, and gone when the job is over.

A job of a server that is root runs under another user, who can not reach the data folder: its folder then lies in the
machine's folder for temporary files.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from graphcap.sandbox.jail import cgroups
from graphcap.sandbox.jail.policy import JOB_ID, Tier

log = logging.getLogger(__name__)


def place(root: Path, tier: Tier) -> Path:
    """Where the folders of a zygote's jobs lie: a new folder in `root`, or where the jobs' user can reach it."""
    if tier == "landlock" and os.getuid() == 0:
        folder = Path(tempfile.mkdtemp(prefix=name_start(root)))
        os.chown(folder, JOB_ID, JOB_ID)
        return folder
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="zygote-", dir=root))


@contextlib.contextmanager
def work_folder(root: Path, tier: Tier) -> Iterator[Path]:
    """A new folder in `root` for one job, closed to others. In tier namespaces a job has its own, and this is `root`."""
    if tier == "namespaces":
        yield root
        return
    folder = Path(tempfile.mkdtemp(dir=root))
    try:
        if tier == "landlock" and os.getuid() == 0:
            os.chown(folder, JOB_ID, JOB_ID)
        yield folder
    finally:
        remove(folder)


def clear(root: Path) -> None:
    """Removes what a server that is gone left behind."""
    if root.is_dir():
        for folder in root.iterdir():
            remove(folder)
    for folder in Path(tempfile.gettempdir()).glob(f"{name_start(root)}*"):
        if folder.lstat().st_uid == JOB_ID:  # anybody may make one of that name
            remove(folder)
    cgroups.remove_pools(name_start(root))


def name_start(root: Path) -> str:
    """How the names begin of what lies outside of `root` and belongs to it: folders for temporary files, and cgroups."""
    return f"graphcap-{hashlib.sha256(os.fsencode(root)).hexdigest()[:12]}-"


def remove(folder: Path) -> None:
    """Removes a folder, whatever permissions and depth a job gave to what is in it; links are removed, not followed."""
    # rm and chmod rather than shutil: a tree of 5,000 folders in each other ends shutil with a RecursionError.
    for command in (["rm", "-rf"], ["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        if folder.exists():
            subprocess.run([*command, "--", str(folder)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if folder.exists():
        log.warning("could not remove %s", folder)
