"""Several files as one submission: archives unpacked, what is no part of a project left out, names made safe."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence

from graphcap.errors import UserError
from graphcap.intake.budget import Budget
from graphcap.intake.kinds import LOG_START, is_log
from graphcap.intake.names import safe_path
from graphcap.intake.upload import MAX_PICKLES_BYTES, TORCH_MARKS, Upload
from graphcap.settings import MIB, Settings

MAX_FILES = 500
LEFT_OUT = frozenset({"__MACOSX", "__pycache__", "node_modules", "venv", "site-packages"})
"""Folders that are no part of a project's own code, beside all that begin with a dot."""

GZIP = b"\x1f\x8b"
GZIP_PART = b"\x1f\x8b\x08"  # as each part begins; in packed bytes, one in 16 million places looks like it by chance
MAX_PARTS = 10_000  # each costs a few µs, even if nothing is in it
CHUNK = 1 << 16
TAKEN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1


def unpacked(uploads: Sequence[Upload], settings: Settings) -> list[Upload]:
    """The files of a submission under safe names, archives of files unpacked. Raises UserError over a limit."""
    found: list[Upload] = []
    room = settings.upload_mib * MIB
    for upload in uploads:
        for file in _inside(upload, room):
            room -= len(file.data)
            found.append(file)
            if len(found) > MAX_FILES:
                raise UserError("too-large", "There are too many files", f"The limit is {MAX_FILES}.", _SMALLER)
            if room < 0:
                raise _too_much(settings)
    return _apart(found)


def is_project(upload: Upload) -> bool:
    """A zip archive that torch did not write: of files."""
    return upload.is_zip and not any(mark in upload.entries for mark in TORCH_MARKS)


def _inside(upload: Upload, room: int) -> Iterator[Upload]:
    if upload.data.startswith(GZIP):
        yield Upload(upload.name.removesuffix(".gz"), _gunzipped(upload, room))
    elif is_project(upload):
        yield from _members(upload, room)
    elif _belongs(upload.name):
        yield upload


def _members(upload: Upload, room: int) -> Iterator[Upload]:
    with upload.open() as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            if info.filename[-1:] in ("", "/") or kind not in (0, stat.S_IFREG) or not _belongs(info.filename):
                continue  # a link could lead out of the folder
            if info.file_size > room:
                raise UserError(
                    "too-large", "This archive is too large unpacked", f"{info.filename[:80]!r} alone is.", _SMALLER
                )
            yield (file := _log_unpacked(Upload(info.filename, _member(archive, info, room)), room))
            room -= len(file.data)


def _log_unpacked(file: Upload, room: int) -> Upload:
    """A packed log as a log. Of anything else that is packed, a project's code expects just that."""
    if not file.data.startswith(GZIP):
        return file
    try:
        start = zlib.decompressobj(wbits=31).decompress(file.data, LOG_START)
    except zlib.error:
        return file
    return Upload(file.name.removesuffix(".gz"), _gunzipped(file, room)) if is_log(start) else file


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: int) -> bytes:
    shown = repr(info.filename[:80])
    if info.flag_bits & ENCRYPTED:
        raise UserError(
            "unsupported-upload", "This archive has a password", f"{shown} is encrypted.", "Pack it without one."
        )
    if info.compress_type not in TAKEN:
        raise UserError(
            "unsupported-upload", "This archive is packed in a rare way", f"{shown} is.", "Pack it as a plain zip."
        )
    try:
        with archive.open(info) as stream:
            return stream.read(min(room, info.file_size) + 1)
    except Exception as error:  # zipfile raises whatever broken bytes lead it to
        hint = "Pack it again and check that the copy is complete."
        raise UserError(
            "unsupported-upload", "This archive is damaged", f"{shown} can not be read: {error}.", hint
        ) from None


def _gunzipped(upload: Upload, room: int) -> bytes:
    """What is in it, and one byte more than `room` of what is larger."""
    try:
        if upload.data.count(GZIP_PART) > MAX_PARTS:
            raise zlib.error(f"it has more than {MAX_PARTS:,} parts")
        data = _parts(upload.data, room + 1)
    except zlib.error as error:
        raise UserError(
            "unsupported-upload", "This file is damaged", f"It starts as gzip does, but: {error}.", "Send it unpacked."
        ) from None
    if data[257:262] == b"ustar":
        raise UserError("unsupported-upload", "This is a tar archive", "graphcap unpacks zip archives.", "Pack it as .zip.")
    return data


def _parts(packed: bytes, limit: int) -> bytes:
    """All parts, as `cat a.gz b.gz` puts them after each other; zeros after the last fill up a tape. Raises zlib.error."""
    found, at = bytearray(), 0
    while packed[at : at + 1].strip(b"\0"):
        part = zlib.decompressobj(wbits=31)
        while not part.eof:
            if not (chunk := packed[at : at + CHUNK]):
                raise zlib.error("it is cut off")
            found += part.decompress(chunk, limit - len(found))
            if len(found) >= limit:
                return bytes(found)
            at += len(chunk) - len(part.unused_data)
    return bytes(found)


def _belongs(name: str) -> bool:
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return not any(part.startswith(".") or part in LEFT_OUT for part in parts) and not name.endswith((".pyc", ".pyo"))


def _apart(found: list[Upload]) -> list[Upload]:
    """Under safe names, each once, without a folder that all lie in, unless that is a package."""
    names = [safe_path(file.name) for file in found]
    while names and all("/" in name for name in names) and len({name.split("/", 1)[0] for name in names}) == 1:
        if f"{names[0].split('/', 1)[0]}/__init__.py" in names:
            break
        names = [name.split("/", 1)[1] for name in names]
    taken: set[str] = set()
    for name in names:
        folders = {name.rsplit("/", i)[0] for i in range(1, name.count("/") + 1)}
        if name in taken or folders & set(names):
            raise UserError(
                "bad-request",
                "Two files have the same name",
                f"{name!r} was sent twice.",
                "Send them in folders of their own.",
            )
        taken.add(name)
    pickles = Budget(MAX_PICKLES_BYTES)
    return [Upload(name, file.data, pickles) for name, file in zip(names, found, strict=True)]


_SMALLER = "Leave data, weights and virtual environments out: a capture needs the model's code."


def _too_much(settings: Settings) -> UserError:
    return UserError(
        "too-large", "These files are too large together", f"Unpacked, the limit is {settings.upload_mib} MiB.", _SMALLER
    )
