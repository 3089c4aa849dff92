"""A file captured in processes of a person's own environment: with its packages, its devices, and without a jail."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from graphcap.client.making.gathering import Gathering
from graphcap.errors import UserError
from graphcap.graph.codec import encode
from graphcap.graph.document import File, Options
from graphcap.graph.package import CaptureFile
from graphcap.graph.stream import Message, Request, Unframer, decode
from graphcap.intake.accept import accept_files
from graphcap.intake.names import safe_path
from graphcap.intake.reading.look import guessed_inputs
from graphcap.intake.submission import Submission
from graphcap.intake.upload import Upload
from graphcap.settings import MIB, Settings

MOST_MESSAGE = 1 << 30
LOG_BYTES = 64 * 1024
CHUNK = 1 << 20


def capture_files(
    paths: Sequence[Path],
    options: Options,
    *,
    heard: Callable[[Message], None],
    printed: Callable[[str], None],
    route_seconds: float,
    programs_to: str | os.PathLike[str],
) -> CaptureFile:
    """Captures the first of the files, the others beside it, as a server would. A single `.py` file is run where it lies.

    `heard` gets every message as it comes, `printed` what the code prints. `programs_to`: see `own_folder`. Raises UserError
    where a file can not be taken.
    """
    submission = accept_files([_upload(path) for path in paths], encode(options).decode(), _own())
    request = Request(
        entry=submission.entry,
        kind=submission.kind,
        options=submission.options,
        memory_bytes=0,
        route_seconds=route_seconds,
        message_bytes=MOST_MESSAGE,
        programs_to=own_folder(programs_to),
        guessed=guessed_inputs(submission),
    )
    gathering, begun = Gathering(submission.options, heard), time.monotonic()
    with _folder(paths, submission) as (folder, where):
        log, cut = _run(folder, where, request, gathering.take, printed)
        files = _files(folder, submission, gathering.user_files)
    return gathering.capture(submission.kind, files, time.monotonic() - begun, log, cut)


def own_folder(path: str | os.PathLike[str]) -> str:
    """An absolute folder, made where it is not there, for exported programs with their weights; "" stays "": they are not
    written. Raises UserError.
    """
    if not os.fspath(path):
        return ""
    folder = Path(path).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(
            "bad-request", f"{folder} can not be made", f"{reason}.", "Name a folder for the programs."
        ) from None
    return str(folder)


def _own() -> Settings:
    """Files of one's own may be large: weights beside the code."""
    return Settings(upload_mib=64 * 1024)


def _upload(path: Path) -> Upload:
    try:
        return Upload(path.name, path.read_bytes())
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError("bad-request", f"{path} can not be read", f"{reason}.", "Name a file to capture.") from None


@contextlib.contextmanager
def _folder(paths: Sequence[Path], submission: Submission) -> Iterator[tuple[Path, str]]:
    """Where the files lie: of a single Python file its own folder, so that it finds what it imports and reads."""
    if len(paths) == 1 and submission.kind == "py" and submission.entry == paths[0].name == safe_path(paths[0].name):
        yield paths[0].resolve().parent, "in-place"
        return
    with tempfile.TemporaryDirectory(prefix="graphcap-") as name:
        for file in submission.files:
            path = Path(name, file.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        yield Path(name).resolve(), "copied"


def _run(
    folder: Path, where: str, request: Request, heard: Callable[[Message], None], printed: Callable[[str], None]
) -> tuple[str, int]:
    """What was printed, and how many bytes of it were dropped."""
    ours, theirs = os.pipe()
    command = [
        sys.executable,
        "-m",
        "graphcap.client.making.child",
        str(folder),
        str(theirs),
        encode(request).decode(),
        where,
    ]
    environment = {**os.environ, "PYTHONPATH": _python_path(), "PYTHONUNBUFFERED": "1"}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(command, pass_fds=(theirs,), env=environment, **pipes)  # type: ignore[call-overload]
    os.close(theirs)
    log = _Log(printed)
    reader = threading.Thread(target=log.read, args=(process.stdout,), daemon=True)
    reader.start()
    unframer = Unframer(MOST_MESSAGE)
    try:
        while data := os.read(ours, CHUNK):
            for body in unframer.feed(data):
                heard(decode(body))
        process.wait()
        reader.join(5.0)
    finally:
        process.kill()  # its own processes end with it
        process.wait()
        os.close(ours)
    return log.text, log.cut


def _python_path() -> str:
    """The child finds the graphcap that runs here, also out of a checkout."""
    here = str(Path(__file__).parents[3])
    rest = os.environ.get("PYTHONPATH", "")
    return f"{here}{os.pathsep}{rest}" if rest else here


class _Log:
    """What the code prints: passed on as it comes, kept up to LOG_BYTES."""

    def __init__(self, printed: Callable[[str], None]) -> None:
        self._printed = printed
        self._kept = b""
        self.cut = 0

    def read(self, stream: IO[bytes]) -> None:
        """Until it ends."""
        for line in stream:
            room = LOG_BYTES - len(self._kept)
            self._kept += line[:room]
            self.cut += len(line) - len(line[:room])
            self._printed(line.decode("utf-8", "replace"))

    @property
    def text(self) -> str:
        """What was kept."""
        return self._kept.decode("utf-8", "ignore")


def _files(folder: Path, submission: Submission, used: frozenset[str]) -> Iterator[File]:
    """Those submitted, and those of the folder that lines of the graphs stand in."""
    submitted = {file.name: file.data for file in submission.files}
    for name, data in submitted.items():
        yield File(name, len(data), _text(name, data))
    for name in sorted(used - submitted.keys()):
        path = folder / name
        if safe_path(name) == name and path.is_file() and path.stat().st_size <= MIB:
            data = path.read_bytes()
            yield File(name, len(data), _text(name, data))


def _text(name: str, data: bytes) -> str | None:
    if not name.endswith((".py", ".ipynb")):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
