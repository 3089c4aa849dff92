"""Intake through its door: what is taken, what is refused, and what the refusal says."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import struct
import zipfile
from collections import OrderedDict
from pathlib import Path

import pytest

from graphcap.errors import UserError
from graphcap.graph.document import Options
from graphcap.intake.accept import accept_code, accept_files
from graphcap.intake.kinds import KINDS
from graphcap.intake.submission import Submission
from graphcap.intake.upload import Upload
from graphcap.settings import Settings

SETTINGS = Settings(upload_mib=1, code_kib=8)
CODE = "import torch\nmodel = torch.nn.Linear(2, 3)\n"


INDEX = json.dumps({"weight_map": {f"layers.{i}.weight": f"{i}.bin" for i in range(7)}}).encode()


def archive(*names: str, content: bytes = b"x", compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as made:
        for name in names:
            made.writestr(name, content)
    return stream.getvalue()


PT2 = archive("m/archive_format", "m/archive_version", "m/models/model.json", "m/data/weights/weight_0")


def upload(name: str, data: bytes, options: object = None) -> Submission:
    return accept_files([Upload(name, data)], options, SETTINGS)


def refusal(name: str, data: bytes) -> UserError:
    with pytest.raises(UserError) as caught:
        upload(name, data)
    assert caught.value.title and caught.value.hint, "what, and what to do"
    return caught.value


def test_pasted_code_becomes_a_submission() -> None:
    submission = accept_code(CODE, None, None, SETTINGS)
    assert (submission.kind, submission.entry, submission.options) == ("py", "model.py", Options())
    assert [(file.name, file.data) for file in submission.files] == [("model.py", CODE.encode())]


def test_a_python_file_is_kept_to_the_byte() -> None:
    data = ("\ufeff" + CODE.replace("\n", "\r\n") + "# ünïcode 🦀").encode()
    submission = upload("my net.py", data, '{"mode": "train"}')
    assert submission.files[0].data == data
    assert (submission.kind, submission.entry, submission.options.mode) == ("py", "my_net.py", "train")


def test_a_syntax_error_is_not_our_business() -> None:
    assert upload("m.py", b"def (:").kind == "py"


@pytest.mark.parametrize("name", ["m.pt2", "m.py", "m", "m.zip"])
def test_an_exported_program_is_known_by_its_content(name: str) -> None:
    submission = upload(name, PT2)
    assert submission.kind == "pt2" and submission.entry.endswith(".pt2") and submission.files[0].data == PT2


def test_the_format_of_torch_2_7_is_taken_too() -> None:
    assert (
        upload("m.pt2", archive("version", "serialized_exported_program.json", "serialized_state_dict.json")).kind == "pt2"
    )


def test_the_hash_covers_content_name_and_options() -> None:
    made = [
        upload("a.py", b"x = 1").sha256,
        upload("a.py", b"x = 2").sha256,
        upload("b.py", b"x = 1").sha256,
        upload("a.py", b"x = 1", {"mode": "train"}).sha256,
    ]
    assert len(set(made)) == 4 and all(len(sha) == 64 for sha in made)
    assert upload("a.py", b"x = 1").sha256 == made[0]
    assert upload("a.py", b"x = 1", {"rerun": True}).sha256 == made[0]
    assert upload("a.py", b"x = 1", {"mode": "as_written"}).sha256 == made[0]


def pickled(*globals: str) -> bytes:
    """What torch.save writes names this way."""
    return b"\x80\x02" + b"".join(f"c{name.replace(' ', chr(10))}\n0".encode() for name in globals) + b"N."


STATE = archive(
    "sd/data.pkl", content=pickled("collections OrderedDict", "torch._utils _rebuild_tensor_v2", "torch FloatStorage")
)
LZMA_DAMAGED = archive("m/data.pkl", content=b"N." * 50, compression=zipfile.ZIP_LZMA).replace(b"\x5d\0\0", b"\xff\xff\xff")
SAFETENSORS = struct.pack("<Q", 2) + b"{}" + b"\0" * 8
LOG = b'V1130 06:17:59.123000 47 torch/_logging/structured.py:28] {"str": ["a.py", 0]}\n'
NOTEBOOK = json.dumps({"cells": [], "metadata": {}, "nbformat": 4}).encode()


@pytest.mark.parametrize(
    ("name", "data", "title"),
    [
        ("m.pt2", PT2[:-30], "cut off or damaged"),
        ("m.pt2", PT2[: len(PT2) // 2], "cut off or damaged"),
        ("m.pt2", b"some words", "no .pt2 archive"),
        ("m.pt2", b"\0" * 100, "no .pt2 archive"),
        ("m.pt2", archive("a.txt", "b.txt"), "nothing to capture"),
        ("m.zip", archive("a/b.zip"), "no archive"),
        ("m.zip", b"junk", "no archive"),
        ("m.pt", b"junk", "no file of torch.save"),
        ("m.safetensors", b"\xff" * 20, "no file of torch.save"),
        ("m.ipynb", b"not json", "no notebook, or a damaged one"),
        ("m.py", NOTEBOOK[:-4], "no notebook, or a damaged one"),
        ("m.pt2", archive("m/archive_format", "m/data/aotinductor/model/a.so"), "AOTInductor"),
        ("m.tar.gz", b"\x1f\x8b\x07\0\0\0", "damaged"),
        ("m.graphcap", gzip.compress(b'{"schema":"graphcap/1"}'), "finished capture"),
        ("m.json", b'{"schema":"graphcap/1"}', "finished capture"),
        ("m.tar.xz", b"\xfd7zXZ\0", "compressed"),
        ("m.onnx", b"\x08\x07\x12\x07pytorch", "ONNX"),
        ("m.bin", b"\x08\x0a:\x05graph", "ONNX"),
        ("m.onnx", b"junk", "ONNX"),
        ("model.safetensors.index.json", INDEX, "an index of a checkpoint in parts"),
        ("m.txt", INDEX, "an index of a checkpoint in parts"),
        ("config.json", b'{"architectures": ["Llama"]}', "a configuration of a model"),
        ("config.json", b'{"architectures": ["Llama"]', "data or settings"),
        ("tokenizer.json", b'{"weight_map": 1}', "data or settings"),
        ("m.safetensors", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "Git LFS"),
        ("model.py", b"\n<!DOCTYPE html>\n<html><body>import torch", "a page of HTML"),
        ("m.gguf", b"GGUF\x03\0\0\0", "weights in a format of another program"),
        ("m.h5", b"\x89HDF\r\n\x1a\n", "weights in a format of another program"),
        ("m.tar", b"net.py".ljust(257, b"\0") + b"ustar", "a tar archive"),
        ("m.jpg", b"\xff\xd8\xff\xe0", "not known here"),
        ("README.md", b"# hello", "not known here"),
        ("README.md", b"# hello\nfrom here on: words\n", "not known here"),
    ],
)
def test_what_is_not_taken_is_named(name: str, data: bytes, title: str) -> None:
    error = refusal(name, data)
    assert title in error.title
    assert error.code == "unsupported-upload" and error.status == 415


def test_an_index_says_which_files_it_places_tensors_in_and_a_config_of_which_model() -> None:
    error = refusal("model.safetensors.index.json", INDEX)
    assert "which of 7 tensors" in error.detail and "(files 0.bin, 1.bin, 2.bin, 3.bin, 4.bin and 2 more)" in error.detail
    assert "parts together with the file of Python" in error.hint
    assert "the sizes of a Llama;" in refusal("config.json", b'{"architectures": ["Llama"]}').detail
    assert "the sizes of a model;" in refusal("config.json", b'{"architectures": [{}]}').detail


@pytest.mark.parametrize(
    ("name", "data", "kind", "entry"),
    [
        ("m.pt", archive("m/constants.pkl", "m/code/__torch__.py", "m/data.pkl"), "torchscript", "m.pt"),
        ("m.pt2", STATE, "weights", "m.pt"),
        ("w.pth", STATE, "weights", "w.pth"),
        ("m.pt", archive("m/data.pkl", content=pickled("__main__ Net", "collections OrderedDict")), "pickle", "m.pt"),
        ("m.pt", archive("m/data.pkl", content=pickle.dumps(OrderedDict(), 4)), "pickle", "m.pt"),
        ("m.pt", archive("m/data.pkl", content=b"\xff\xff"), "pickle", "m.pt"),
        ("m.py", LZMA_DAMAGED, "pickle", "m.pt"),
        ("m.pkl", pickle.dumps({"a": 1}), "pickle", "m.pkl"),
        ("sin_as.pt2", CODE.encode(), "py", "sin_as.py"),
        ("m.pt", b"# mine\r\n\r\nfrom torch.nn import Linear\r\n", "py", "m.py"),
        ("m.jpg", b'\xef\xbb\xbf"""Net."""\nmodel = 1\n', "py", "m.jpg.py"),
        ("m.safetensors", STATE, "weights", "m.safetensors"),
        ("m.safetensors", SAFETENSORS, "weights", "m.safetensors"),
        ("model.bin", SAFETENSORS, "weights", "model.bin"),
        ("V1.txt", LOG, "log", "V1.txt"),
        ("run.log.gz", gzip.compress(LOG), "log", "run.log"),
        ("m.zip", archive("model.py", content=CODE.encode()), "py", "model.py"),
        ("m.py", archive("p/model.py", "p/data.csv", content=CODE.encode()), "py", "model.py"),
    ],
)
def test_a_kind_is_found_by_content_and_the_name_ends_as_it_does(name: str, data: bytes, kind: str, entry: str) -> None:
    submission = upload(name, data)
    assert (submission.kind, submission.entry) == (kind, entry)
    assert submission.files[0].name == entry


def test_a_damaged_archive_is_refused_wherever_the_damage_is() -> None:
    compressed = archive("m/data.pkl", content=pickled("a b") * 50, compression=zipfile.ZIP_DEFLATED)
    for whole in (PT2, STATE, compressed):
        for i in range(4, len(whole)):
            for byte in (0, 0x7F, 0xFF):
                try:
                    upload("m.pt2", whole[:i] + bytes([byte]) + whole[i + 1 :])
                except UserError as error:
                    assert error.code in ("unsupported-upload", "too-large", "bad-request")


def test_every_kind_that_is_refused_says_what_is_taken_today_and_what_to_do() -> None:
    refused = [kind for kind in KINDS if kind.kind is None]
    assert len(refused) > 6
    assert all(kind.instead for kind in refused)
    assert "(.py)" in refusal("m.onnx", b"\x08").detail and "(.pt2)" in refusal("m.onnx", b"\x08").detail


@pytest.mark.parametrize(
    ("name", "data", "code", "says"),
    [
        ("m.py", b"", "empty-upload", "0 bytes"),
        ("m.pt2", b"", "empty-upload", "0 bytes"),
        ("m.py", b" \r\n\t\n", "empty-upload", "blank"),
        ("m.py", b"\xef\xbb\xbf\n", "empty-upload", "blank"),
        ("m.py", b"a = 1\nb = '\xe9'\n", "not-text", "Line 2 holds the byte 0xe9"),
        ("m.py", "a = 1".encode("utf-16"), "not-text", "UTF-16"),
        ("m.py", b"a = 1\n\n\0", "not-text", "Line 3 holds a NUL"),
        ("m.py", b"#" * (8 * 1024 + 1), "too-large", "8,193 bytes; the limit is 8 KiB"),
        ("m.pt2", b"PK\x03\x04" + b"\0" * (1 << 20), "too-large", "1,048,580 bytes; the limit is 1 MiB"),
    ],
)
def test_bad_content_is_refused_with_the_place(name: str, data: bytes, code: str, says: str) -> None:
    error = refusal(name, data)
    assert error.code == code and says in error.detail


def test_an_archive_with_a_hundred_thousand_entries_is_refused_before_it_is_read() -> None:
    error = refusal("m.pt2", b"PK\x03\x04" + b"PK\x01\x02" * 100_000)
    assert "too many entries" in error.title


def test_no_file_is_none() -> None:
    with pytest.raises(UserError) as caught:
        accept_files([], None, SETTINGS)
    assert caught.value.code == "bad-request" and caught.value.hint


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("model.py", "model.py"),
        ("../../etc/passwd.py", "passwd.py"),
        ("C:\\Users\\me\\net.py", "net.py"),
        ("/abs/net.py", "net.py"),
        ("a\0b.py", "a_b.py"),
        ("a\nb\r.py", "a_b.py"),
        ("..", "model.py"),
        ("", "model.py"),
        (".py", "model.py"),
        (".hidden.py", "hidden.py"),
        ("-rf.py", "rf.py"),
        ("__init__.py", "init.py"),
        ("NET.PY", "NET.py"),
        ("modèle é.py", "modèle_é.py"),
        ("<script>alert(1)</script>.py", "script.py"),
        ("\ud800x.py", "x.py"),
        ("a" * 300 + ".py", "a" * 80 + ".py"),
        ("模" * 300 + ".py", "模" * 66 + ".py"),
        ("con:aux|?*.py", "con_aux.py"),
    ],
)
def test_hostile_names_are_made_safe(raw: str, safe: str, tmp_path: Path) -> None:
    submission = accept_code(CODE, raw, None, SETTINGS)
    assert submission.entry == submission.files[0].name == safe
    (tmp_path / safe).write_bytes(b"")
    assert [path.name for path in tmp_path.iterdir()] == [safe]


@pytest.mark.parametrize("code", [None, 7, ["a"], {"a": 1}])
def test_code_must_be_text(code: object) -> None:
    with pytest.raises(UserError, match="must be text"):
        accept_code(code, None, None, SETTINGS)


def test_a_name_must_be_text() -> None:
    with pytest.raises(UserError, match="must be text"):
        accept_code(CODE, 7, None, SETTINGS)


def test_half_a_character_is_refused_with_its_line() -> None:
    with pytest.raises(UserError, match="Line 2") as caught:
        accept_code("a = 1\nb = '\ud800'", None, None, SETTINGS)
    assert caught.value.code == "not-text"
