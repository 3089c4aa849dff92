"""The kinds of upload, in the order they are tried; the first that matches the content decides.

To take a new kind: one line in `KINDS` (its matcher, and the kind it becomes). To refuse one: one line with a reason.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable

from graphcap.errors import UserError
from graphcap.intake.submission import Kind
from graphcap.intake.upload import Upload

TAKEN = "Today graphcap takes Python code (.py) and programs saved by torch.export.save (.pt2)."

STATE = {"collections OrderedDict", "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_parameter", "torch Size"}
"""What the pickle of plain tensors names, beside storages."""


@dataclasses.dataclass(frozen=True)
class UploadKind:
    """How to tell a kind, and what becomes of it: a `kind` of submission, or a refusal with its reason and a way round."""

    what: str
    matches: Callable[[Upload], bool]
    kind: Kind | None = None
    why: str = ""
    instead: str = ""


def kind_of(upload: Upload) -> Kind:
    """What the upload is. Raises UserError naming it, and what to do instead, when it is not taken."""
    found = next(kind for kind in KINDS if kind.matches(upload))
    if found.kind is not None:
        return found.kind
    detail = f"{found.why} {TAKEN}" if found.why else TAKEN
    raise UserError("unsupported-upload", f"This file is {found.what}", detail, found.instead)


def _is_exported(upload: Upload) -> bool:
    entries = upload.entries if upload.is_zip else frozenset()
    modern = "archive_format" in entries and any(name.startswith("models/") and name.endswith(".json") for name in entries)
    return modern or "serialized_exported_program.json" in entries  # the second: torch 2.7 and older


def _zip_with(*names: str) -> Callable[[Upload], bool]:
    return lambda upload: upload.is_zip and all(name in upload.entries for name in names)


def _is_notebook(upload: Upload) -> bool:
    return upload.suffix == ".ipynb" or (upload.data.lstrip()[:1] == b"{" and b'"nbformat"' in upload.data)


def _is_state(upload: Upload) -> bool:
    if not _zip_with("data.pkl")(upload):
        return False
    return all(name in STATE or name.endswith("Storage") for name in upload.pickled_names)


def _is_safetensors(upload: Upload) -> bool:
    if len(upload.data) < 9:
        return False
    (header,) = struct.unpack_from("<Q", upload.data)
    return bool(header < len(upload.data) and upload.data[8:9] == b"{")


def _is_pickle(upload: Upload) -> bool:
    return upload.data[:1] == b"\x80" and upload.data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05")


def _starts(*magics: bytes) -> Callable[[Upload], bool]:
    return lambda upload: upload.data.startswith(magics)


def _named(*suffixes: str) -> Callable[[Upload], bool]:
    return lambda upload: upload.suffix in suffixes


def _any(_upload: Upload) -> bool:
    return True


_WITH_CODE = "Paste the code of the model, or export it: torch.export.save(torch.export.export(model, args), 'model.pt2')."
_STATE_WHY = "It holds numbers under names, and no graph: the graph is made by running the model's code."

KINDS: tuple[UploadKind, ...] = (
    UploadKind("a program saved by torch.export.save", _is_exported, "pt2"),
    UploadKind(
        "a package compiled by AOTInductor",
        _zip_with("archive_format"),
        None,
        "It holds machine code, no graph.",
        _WITH_CODE,
    ),
    UploadKind("a TorchScript archive", _zip_with("constants.pkl"), None, "TorchScript is not captured yet.", _WITH_CODE),
    UploadKind("a state_dict or checkpoint of tensors", _is_state, None, _STATE_WHY, _WITH_CODE),
    UploadKind(
        "a pickled model or object", _zip_with("data.pkl"), None, "The pickle names classes by import only.", _WITH_CODE
    ),
    UploadKind(
        "a zip archive", lambda upload: upload.is_zip, None, "Archives of several files are not captured yet.", _WITH_CODE
    ),
    UploadKind("a notebook", _is_notebook, None, "", "Paste the code of its cells, or save it as Python (.py)."),
    UploadKind("a safetensors file", _is_safetensors, None, _STATE_WHY, _WITH_CODE),
    UploadKind("a pickle", _is_pickle, None, "Opening it would run code, and it need not hold a model.", _WITH_CODE),
    UploadKind(
        "a compressed file",
        _starts(b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf"),
        None,
        "",
        "Unpack it.",
    ),
    UploadKind("an ONNX model", _named(".onnx"), None, "graphcap shows what PyTorch makes of a model.", _WITH_CODE),
    UploadKind(
        "no .pt2 archive", _named(".pt2"), None, "Its name says .pt2, but it is not a zip archive.", "Python code needs .py."
    ),
    UploadKind("Python code", _named(".py", ".txt", ""), "py"),
    UploadKind("of a kind that is not known here", _any, None, "", "If it is Python code, give it a name that ends in .py."),
)
"""Every kind, most telling first; the last matches anything."""
