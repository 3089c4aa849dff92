"""The door of intake: uploads or pasted code in, a checked `Submission` out, or a `UserError` that says what to do.

Syntax errors pass: a capture shows them with Python's own words and the line at fault.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from graphcap.errors import UserError
from graphcap.graph.document import Options
from graphcap.intake.kinds import kind_of
from graphcap.intake.names import safe_name
from graphcap.intake.options import decode_options
from graphcap.intake.submission import Kind, Submission, SubmittedFile
from graphcap.intake.upload import Upload
from graphcap.settings import MIB, Settings

DEFAULT_NAME = "model.py"


def accept_files(uploads: Sequence[Upload], options: object, settings: Settings) -> Submission:
    """Uploaded files; `options` is JSON text or decoded JSON (None or empty: the defaults)."""
    if len(uploads) != 1:
        raise _not_one(len(uploads))
    (upload,) = uploads
    if not upload.data:
        raise UserError(
            "empty-upload", "This file is empty", "It has 0 bytes.", "Check that it was saved before it was sent."
        )
    if len(upload.data) > settings.upload_mib * MIB:
        raise _too_large("This file", len(upload.data), settings.upload_mib * 1024)
    kind = kind_of(upload)
    data = upload.data if kind == "pt2" else _code(upload.data, settings)
    return _submission(kind, safe_name(upload.name, f".{kind}"), data, decode_options(options))


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
    return _submission("py", safe_name(name or DEFAULT_NAME, ".py"), _code(data, settings), decode_options(options))


def _code(data: bytes, settings: Settings) -> bytes:
    """Python source as UTF-8 text, or a refusal."""
    if len(data) > settings.code_kib * 1024:
        raise _too_large("This code", len(data), settings.code_kib)
    hint = "Save it as UTF-8 text and try again."
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UserError("not-text", "This code is not UTF-8", "It starts as UTF-16 does.", hint)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = f"Line {line} holds the byte 0x{data[error.start]:02x} (offset {error.start}), which is not UTF-8."
        raise UserError("not-text", "This code is not UTF-8", where, hint) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UserError("not-text", "This is no Python code", f"Line {line} holds a NUL character.", hint)
    if not text.removeprefix("\ufeff").strip():
        raise UserError(
            "empty-upload", "There is no code", "Only blank space was sent.", "Paste a model, or start from an example."
        )
    return data


def _submission(kind: Kind, name: str, data: bytes, options: Options) -> Submission:
    digest = hashlib.sha256()
    decisive = {**msgspec.structs.asdict(options), "rerun": False}  # every field, also where it was left to its default
    for part in (kind.encode(), name.encode(), msgspec.json.encode(decisive), data):
        digest.update(len(part).to_bytes(8, "big") + part)
    return Submission((SubmittedFile(name, data),), kind, name, options, digest.hexdigest())


def _not_one(count: int) -> UserError:
    if count == 0:
        return UserError(
            "bad-request", "No file was sent", "The form has no part called `file`.", "Choose a file, or paste code."
        )
    return UserError(
        "bad-request",
        "One file at a time",
        f"{count} files were sent; a capture takes exactly one today.",
        "Put the model into one .py file, or export it to a .pt2.",
    )


def _too_large(what: str, size: int, limit_kib: int) -> UserError:
    limit = f"{limit_kib // 1024} MiB" if limit_kib >= 1024 and limit_kib % 1024 == 0 else f"{limit_kib} KiB"
    return UserError(
        "too-large",
        f"{what} is too large",
        f"It has {size:,} bytes; the limit is {limit}.",
        "Leave data and weights out: a capture needs the model's code and the shapes of its inputs.",
    )
