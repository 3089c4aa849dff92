"""The kinds of upload, in the order they are tried; the first that matches the content decides.

To take a new kind: one line in `KINDS` (its matcher, and the kind it becomes). To refuse one: one line with a reason.
"""

from __future__ import annotations

import dataclasses
import re
import struct
from collections.abc import Callable

from graphcap.errors import UserError
from graphcap.graph.logs import HEAD
from graphcap.graph.stream import Kind
from graphcap.intake.inside.foreign import config_told, index_told, is_config, is_index
from graphcap.intake.names import safe_name
from graphcap.intake.upload import LEGACY_MAGIC, Upload

TAKEN = (
    "graphcap takes Python code (.py), notebooks (.ipynb), archives of them (.zip), saved programs (.pt2), TorchScript and "
    "modules saved whole (.pt, .pth), weights beside their code, and logs of TORCH_TRACE."
)

STATE = (
    *("collections ", "torch._utils ", "torch._tensor ", "torch Size", "torch device", "torch.serialization _get_layout"),
    *(
        "torch float",
        "torch bfloat16",
        "torch int",
        "torch uint8",
        "torch bool",
        "torch.torch_version ",
        "numpy",
        "argparse ",
    ),
    *("_codecs encode", "__builtin__ ", "builtins set", "pathlib ", "datetime ", "torch.nn.parameter "),
)
"""How the names begin that the pickle of tensors, settings and statistics holds, beside storages."""


SAVED = (".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin")
SUFFIXES: dict[Kind, tuple[str, ...]] = {
    "py": (".py",),
    "ipynb": (".ipynb",),
    "pt2": (".pt2",),
    "torchscript": (".pt", ".pth", ".ts", ".torchscript", ".jit", ".ptl"),
    "pickle": SAVED,
    "weights": (*SAVED, ".safetensors"),
    "log": (".log", ".txt"),
}

LOG_START = 2000  # bytes, in which its first line has to begin

PYTHON_START = 64 << 10  # bytes, in which its first statement has to begin
STATEMENT = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*+"  # blank lines and comments
    rb"(?:\"\"\"|'''|import [\w.]|from [\w.]+ import |class \w+ *[(:]|(?:async )?def \w+ *\(|@\w)"
)
"""How code begins that is worth to be read as such, whatever its name."""


ONNX_START = re.compile(rb"\x08[\x01-\x1f](?:\x12[\x01-\x40][A-Za-z]|:|B)")
"""ModelProto in protobuf: its version (field 1), then the producer's name, the graph, or the set of operators."""

TAR_MARK = 257  # bytes before it


@dataclasses.dataclass(frozen=True)
class UploadKind:
    """How to tell a kind, and what becomes of it: a `kind` of submission, or a refusal with its reason and a way round."""

    what: str
    matches: Callable[[Upload], bool]
    kind: Kind | None = None
    why: str | Callable[[Upload], str] = ""  # or what says it of the upload
    instead: str = ""


def kind_of(upload: Upload) -> Kind:
    """What the upload is. Raises UserError naming it, and what to do instead, when it is not taken."""
    found = next(kind for kind in KINDS if kind.matches(upload))
    if found.kind is not None:
        return found.kind
    why = found.why if isinstance(found.why, str) else found.why(upload)
    detail = f"{why} {TAKEN}" if why else TAKEN
    raise UserError("unsupported-upload", f"This file is {found.what}", detail, found.instead)


def beside(upload: Upload) -> Kind | None:
    """What a file among others is; None for one that only lies beside them, such as data or text."""
    try:
        found = next(kind for kind in KINDS if kind.matches(upload))
    except UserError:  # a damaged archive, which need not be the one that is captured
        return None
    if found.kind == "py" and upload.suffix != ".py":
        return None
    rare = found.kind == "pickle" and not upload.is_zip and not upload.data.startswith(LEGACY_MAGIC)
    if rare and upload.suffix not in SAVED:
        return None
    return "weights" if found.kind == "pickle" and not upload.pickled.module else found.kind


def is_log(data: bytes) -> bool:
    """Starts as a record of torch's structured log does."""
    return HEAD.match(data[:LOG_START]) is not None


def name_of(kind: Kind, upload: Upload) -> str:
    """A safe name for the one file of a submission, which ends as such files do."""
    usual = SUFFIXES[kind]
    if upload.suffix in usual:
        return safe_name(upload.name, upload.suffix)
    known = any(upload.suffix in suffixes for suffixes in SUFFIXES.values())
    return safe_name(upload.name[: -len(upload.suffix)] if known else upload.name, usual[0])


def _is_exported(upload: Upload) -> bool:
    entries = upload.entries if upload.is_zip else frozenset()
    modern = "archive_format" in entries and any(name.startswith("models/") and name.endswith(".json") for name in entries)
    return modern or "serialized_exported_program.json" in entries  # the second: torch 2.7 and older


def _zip_with(*names: str) -> Callable[[Upload], bool]:
    return lambda upload: upload.is_zip and all(name in upload.entries for name in names)


def _is_notebook(upload: Upload) -> bool:
    return upload.suffix == ".ipynb" or (upload.data.lstrip()[:1] == b"{" and b'"nbformat"' in upload.data)


def _is_state(upload: Upload) -> bool:
    if not (_zip_with("data.pkl")(upload) or upload.data.startswith(LEGACY_MAGIC)):
        return False
    return all(name.startswith(STATE) or name.endswith("Storage") for name in upload.pickled.names)


def _is_log(upload: Upload) -> bool:
    return is_log(upload.data)


def _is_python(upload: Upload) -> bool:
    return STATEMENT.match(upload.data[:PYTHON_START]) is not None and b"\0" not in upload.data


def _is_safetensors(upload: Upload) -> bool:
    if len(upload.data) < 9:
        return False
    (header,) = struct.unpack_from("<Q", upload.data)
    return bool(header < len(upload.data) and upload.data[8:9] == b"{")


def _is_pickle(upload: Upload) -> bool:
    return upload.data[:1] == b"\x80" and upload.data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05")


def _is_onnx(upload: Upload) -> bool:
    return upload.suffix == ".onnx" or ONNX_START.match(upload.data) is not None


def _is_tar(upload: Upload) -> bool:
    return upload.data[TAR_MARK : TAR_MARK + 5] == b"ustar"


def _is_page(upload: Upload) -> bool:
    return upload.data[:PYTHON_START].lstrip()[:14].lower().startswith((b"<!doctype html", b"<html"))


def _starts(*magics: bytes) -> Callable[[Upload], bool]:
    return lambda upload: upload.data.startswith(magics)


def _named(*suffixes: str) -> Callable[[Upload], bool]:
    return lambda upload: upload.suffix in suffixes


def _any(_upload: Upload) -> bool:
    return True


_WITH_CODE = "Paste the code of the model, or export it: torch.export.save(torch.export.export(model, args), 'model.pt2')."
_PARTS = (
    "Send the parts together with the file of Python that builds the model. Of a model of Hugging Face: `graphcap capture` "
    "on a machine that has transformers, then `graphcap push` (docs/client.md)."
)
_CONFIGURED = (
    "On a machine that has transformers: `graphcap capture` a file of Python with `model = "
    "AutoModel.from_config(AutoConfig.from_pretrained('config.json'))` and `example_args`, then `graphcap push` "
    "(docs/client.md)."
)
_NAMED_ONLY = "Its name says that it is one, but its content is not; it may be cut off."

KINDS: tuple[UploadKind, ...] = (
    UploadKind("a program saved by torch.export.save", _is_exported, "pt2"),
    UploadKind(
        "a package compiled by AOTInductor",
        _zip_with("archive_format"),
        None,
        "It holds machine code, no graph.",
        _WITH_CODE,
    ),
    UploadKind("a TorchScript archive", _zip_with("constants.pkl"), "torchscript"),
    UploadKind("a state_dict or checkpoint of tensors", _is_state, "weights"),
    UploadKind("a pickled model or object", _zip_with("data.pkl"), "pickle"),
    UploadKind(
        "an unfinished file of torch.save",
        _zip_with("byteorder"),
        None,
        "It is an archive as torch.save writes them, but what was to be saved is not in it: saving it failed.",
        "Save it again. Of a TorchScript module: module.save(file).",
    ),
    UploadKind(
        "a zip archive inside another",
        lambda upload: upload.is_zip,
        None,
        "An archive is unpacked once.",
        "Unpack it before it is packed.",
    ),
    UploadKind(
        "a finished capture",
        lambda upload: upload.suffix == ".graphcap" or upload.data.startswith(b'{"schema":"graphcap'),
        None,
        "There is nothing left to run in it.",
        "Show it with `graphcap open FILE`, or hand it to a server with `graphcap push FILE URL`.",
    ),
    UploadKind("a notebook", _is_notebook, "ipynb"),
    UploadKind("a log of TORCH_TRACE", _is_log, "log"),
    UploadKind("a safetensors file", _is_safetensors, "weights"),
    UploadKind("a pickle", _is_pickle, "pickle"),
    UploadKind(
        "a compressed file",
        _starts(b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf"),
        None,
        "",
        "Unpack it.",
    ),
    UploadKind("a tar archive", _is_tar, None, "graphcap unpacks zip archives.", "Pack it as .zip."),
    UploadKind("Python code under another name", _is_python, "py"),
    UploadKind(
        "an ONNX model",
        _is_onnx,
        None,
        "graphcap shows what PyTorch makes of a model; ONNX is a format of its own that PyTorch does not read.",
        _WITH_CODE,
    ),
    UploadKind("an index of a checkpoint in parts", is_index, None, index_told, _PARTS),
    UploadKind("a configuration of a model", is_config, None, config_told, _CONFIGURED),
    UploadKind(
        "a pointer of Git LFS",
        _starts(b"version https://git-lfs"),
        None,
        "It stands in a repository for a large file, which was not downloaded.",
        "Get the file itself (git lfs pull) and send that.",
    ),
    UploadKind(
        "a page of HTML",
        _is_page,
        None,
        "A browser shows it; of a file on GitHub it is the page around it.",
        "Send the file itself (on GitHub: Raw, or Download).",
    ),
    UploadKind(
        "weights in a format of another program",
        _starts(b"GGUF", b"\x89HDF\r\n", b"\x93NUMPY"),
        None,
        "GGUF, HDF5 (Keras) and NumPy hold arrays under names, and no graph; they are not read.",
        _WITH_CODE,
    ),
    UploadKind(
        "no .pt2 archive",
        _named(".pt2"),
        None,
        "Its name says .pt2, but it is not a zip archive.",
        "Save the program again with torch.export.save; Python code is to have a name that ends in .py.",
    ),
    UploadKind(
        "no file of torch.save or safetensors",
        _named(*SAVED, ".safetensors"),
        None,
        _NAMED_ONLY,
        "Save it again.",
    ),
    UploadKind("no archive", _named(".zip"), None, "Its name says .zip, but it does not begin as one.", "Pack it again."),
    UploadKind("Python code", _named(".py", ".txt", ""), "py"),
    UploadKind(
        "data or settings",
        _named(".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".csv"),
        None,
        "There is no graph in it.",
        "Send the file of Python that builds the model, this one together with it where it reads it.",
    ),
    UploadKind("of a kind that is not known here", _any, None, "", "If it is Python code, give it a name that ends in .py."),
)
"""Every kind, most telling first; the last matches anything."""
