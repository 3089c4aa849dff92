"""The door of intake: files or pasted code in, a checked `Submission` out, or a `UserError` that says what to do.

Syntax errors pass: a capture shows them with Python's own words and the line at fault.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import PurePosixPath

import msgspec

from graphcap.errors import UserError
from graphcap.graph.document import LOG_STAGES, Options
from graphcap.graph.stream import Kind
from graphcap.intake.entry import Sorted, find_entry
from graphcap.intake.inside.notebook import python_of
from graphcap.intake.inside.unpack import GZIP, is_project, unpacked
from graphcap.intake.kinds import beside, kind_of, name_of
from graphcap.intake.names import safe_name
from graphcap.intake.options import decode_options
from graphcap.intake.refusals import too_large
from graphcap.intake.submission import Submission, SubmittedFile
from graphcap.intake.upload import Upload
from graphcap.settings import MIB, Settings

DEFAULT_NAME = "model.py"


def accept_files(uploads: Sequence[Upload], options: object, settings: Settings) -> Submission:
    """Uploaded files; `options` is JSON text or decoded JSON (None or empty: the defaults).

    One file is taken for what it is; of several, or of an archive of files, one is the entry and the others lie beside it.
    """
    wanted = decode_options(options)
    if not uploads:
        raise UserError(
            "bad-request", "No file was sent", "The form has no part called `file`.", "Choose a file, or paste code."
        )
    _check_sizes(uploads, settings)
    if len(uploads) == 1 and not uploads[0].data.startswith(GZIP) and not is_project(uploads[0]):
        (upload,) = uploads
        kind = kind_of(upload)
        one = Sorted(name_of(kind, upload), upload.data, kind)
        if wanted.entry and PurePosixPath(wanted.entry.replace("\\", "/")).name != PurePosixPath(upload.name).name:
            find_entry([one], wanted.entry)  # its name may have been made to end as such files do
        return _with_entry(one, [one], wanted, settings)
    return _several(sort_files(uploads, settings), wanted, settings)


def sort_files(uploads: Sequence[Upload], settings: Settings) -> list[Sorted]:
    """The files of a submission, unpacked, under safe names, each with what it is."""
    found = unpacked(uploads, settings)
    has_code = any(file.suffix in (".py", ".ipynb") for file in found)
    return [Sorted(file.name, file.data, beside(file) if has_code or len(found) > 1 else kind_of(file)) for file in found]


def _several(files: list[Sorted], options: Options, settings: Settings) -> Submission:
    for file in files:
        if file.kind == "py":  # before any of it is parsed to find the entry
            _code(file.data, settings, file.name, blank=True)
    entry = find_entry(files, options.entry)
    return _with_entry(entry, [entry, *(file for file in files if file is not entry)], options, settings)


def _with_entry(entry: Sorted, files: Sequence[Sorted], options: Options, settings: Settings) -> Submission:
    """Of kinds that are told by their content, the name ends as torch expects it."""
    if not entry.data:
        raise _empty()
    found = [SubmittedFile(file.name, file.data) for file in files]
    what = "This code" if len(files) == 1 else entry.name
    if entry.kind == "py":
        _code(entry.data, settings, what)
    elif entry.kind == "ipynb":
        code = SubmittedFile(f"{entry.name}.py", _code(python_of(entry.data, entry.name, settings.code_kib), settings, what))
        _check_free(code.name, found)
        found.insert(1, code)
    assert entry.kind is not None
    return _submission(entry.kind, entry.name, tuple(found), options)


def _check_free(name: str, files: Sequence[SubmittedFile]) -> None:
    if taken := next((file.name for file in files if f"{file.name}/".startswith(f"{name}/")), None):
        raise UserError(
            "bad-request",
            "Two files have the same name",
            f"The code of the notebook's cells is to lie under {name!r}, where {taken!r} was sent.",
            "Leave it out, or give it or the notebook another name.",
        )


def _check_sizes(uploads: Sequence[Upload], settings: Settings) -> None:
    total = sum(len(upload.data) for upload in uploads)
    if total == 0:
        raise _empty()
    if total > settings.upload_mib * MIB:
        raise too_large("This file" if len(uploads) == 1 else "This upload", total, settings.upload_mib * 1024)


def accept_code(code: object, name: object, options: object, settings: Settings) -> Submission:
    """Pasted code with the name it is to have (None: `model.py`), straight from decoded JSON."""
    if not isinstance(code, str):
        raise UserError("bad-request", "The code is missing", '"code" must be text.', 'Send {"code": "import torch ..."}.')
    if name is not None and not isinstance(name, str):
        raise UserError("bad-request", "The name can not be used", '"name" must be text.', "Leave it out for model.py.")
    try:
        data = code.encode()
    except UnicodeEncodeError as error:
        line = code.count("\n", 0, error.start) + 1
        raise UserError(
            "not-text", "The code is not valid Unicode", f"Line {line} holds half a character.", "Type it again."
        ) from None
    file = SubmittedFile(safe_name(name or DEFAULT_NAME, ".py"), _code(data, settings))
    wanted = decode_options(options)
    if wanted.entry:
        find_entry([Sorted(file.name, data, "py")], wanted.entry)
    return _submission("py", file.name, (file,), wanted)


def _code(data: bytes, settings: Settings, what: str = "This code", *, blank: bool = False) -> bytes:
    """Python source as UTF-8 text, or a refusal that calls it `what`."""
    if len(data) > settings.code_kib * 1024:
        raise too_large(what, len(data), settings.code_kib)
    hint = "Save it as UTF-8 text and try again."
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UserError("not-text", f"{what} is not UTF-8", "It starts as UTF-16 does.", hint)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = f"Line {line} holds the byte 0x{data[error.start]:02x} (offset {error.start}), which is not UTF-8."
        raise UserError("not-text", f"{what} is not UTF-8", where, hint) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        title = "This is no Python code" if what == "This code" else f"{what} is no Python code"
        raise UserError("not-text", title, f"Line {line} holds a NUL character.", hint)
    if not blank and not text.removeprefix("\ufeff").strip():
        raise UserError(
            "empty-upload", "There is no code", "Only blank space was sent.", "Paste a model, or start from an example."
        )
    return data


def _submission(kind: Kind, entry: str, files: tuple[SubmittedFile, ...], options: Options) -> Submission:
    if kind == "log":
        options = msgspec.structs.replace(options, stages=LOG_STAGES)  # whatever was asked: nothing of it is run
    digest = hashlib.sha256()
    decisive = {**msgspec.structs.asdict(options), "rerun": False}  # every field, also where it was left to its default
    contents = (part for file in files for part in (file.name.encode(), file.data))
    for part in (kind.encode(), entry.encode(), msgspec.json.encode(decisive), *contents):
        digest.update(len(part).to_bytes(8, "big") + part)
    return Submission(files, kind, entry, options, digest.hexdigest())


def _empty() -> UserError:
    return UserError("empty-upload", "This file is empty", "It has 0 bytes.", "Check that it was saved before it was sent.")
