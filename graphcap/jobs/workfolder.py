"""The folder of one run: the submitted files in `code`, everything the run writes beside them; gone when the run is over."""

from __future__ import annotations

import contextlib
import logging
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from graphcap.intake.submission import Submission
from graphcap.settings import Settings

log = logging.getLogger(__name__)


def work_root(settings: Settings) -> Path:
    """Where the folders of all runs lie."""
    return settings.data_dir.resolve() / "work"


@contextlib.contextmanager
def work_folder(settings: Settings, submission: Submission) -> Iterator[Path]:
    """A new folder with the submitted files in `code`, readable by this user only."""
    root = work_root(settings)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=root))
    try:
        (folder / "code").mkdir()
        for file in submission.files:
            (folder / "code" / file.name).write_bytes(file.data)
        yield folder
    finally:
        remove(folder)


def clear(settings: Settings) -> None:
    """Removes what runs of a process that is gone left behind."""
    root = work_root(settings)
    if root.is_dir():
        for folder in root.iterdir():
            remove(folder)


def remove(folder: Path) -> None:
    """Removes a folder, whatever permissions and depth a run gave to what is in it; links are removed, not followed."""
    # rm and chmod rather than shutil: a tree of 5,000 folders in each other ends shutil with a RecursionError.
    for command in (["rm", "-rf"], ["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        if folder.exists():
            subprocess.run([*command, "--", str(folder)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if folder.exists():
        log.warning("could not remove %s", folder)
