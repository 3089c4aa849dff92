"""Files that are not what they seem: refused at the door with what was wrong, or by the capture with torch's reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bad_input.conftest import SOUND, App, assert_sound

pytestmark = pytest.mark.torch

SAVE = """import sys, torch
class M(torch.nn.Module):
    def forward(self, x):
        return x.sin()
torch.export.save(torch.export.export(M(), (torch.ones(2),)), sys.argv[1])
"""


@pytest.fixture(scope="session")
def pt2(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path: Path = tmp_path_factory.mktemp("pt2") / "m.pt2"
    subprocess.run([sys.executable, "-c", SAVE, str(path)], check=True, stderr=subprocess.DEVNULL)
    return path.read_bytes()


def test_a_sound_one_is_captured(app: App, pt2: bytes) -> None:
    capture = app.ended(app.upload("m.pt2", pt2, stages=["export"]))
    assert capture["stages"][0]["graphs"][0]["nodes"] == 3


@pytest.mark.parametrize("keep", [0.9, 0.5, 0.1])
def test_a_truncated_pt2_is_told(app: App, pt2: bytes, keep: float) -> None:
    answer = app.upload("m.pt2", pt2[: int(len(pt2) * keep)])
    if answer[0] == 202:
        capture = app.ended(answer)
        assert capture["status"] == "failed"
        told = capture["failures"][0]["message"] + " ".join(capture["failures"][0]["hints"])
    else:
        assert answer[0] in (415, 422)
        told = answer[1]["title"] + answer[1]["detail"]
    assert any(word in told for word in ("truncated", "cut off", "incomplete", "damaged")), told


def test_damage_in_the_middle_of_a_pt2_is_told(app: App, pt2: bytes) -> None:
    middle = len(pt2) // 2
    capture = app.ended(app.upload("m.pt2", pt2[: middle - 200] + bytes(400) + pt2[middle + 200 :]))
    assert capture["status"] == "failed"
    assert capture["failures"][0]["message"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("picture.pt2", b"\x89PNG\r\n\x1a\n" + bytes(1000)),
        ("random.pt2", bytes(range(256)) * 40),
    ],
)
def test_what_is_renamed_to_pt2_is_refused(app: App, name: str, data: bytes) -> None:
    status, answer = app.upload(name, data)
    if status == 202:
        capture = app.ended((status, answer))
        assert capture["status"] == "failed" and capture["failures"][0]["message"]
    else:
        assert status in (415, 422) and answer["code"] and answer["detail"] and answer["hint"]


def test_code_renamed_to_pt2_is_what_it_is(app: App) -> None:
    capture = app.ended(app.upload("code.pt2", SOUND.encode(), stages=["export"]))
    assert capture["status"] == "done" and capture["source"]["kind"] == "py"


def test_a_pt2_renamed_to_py_is_what_it_is(app: App, pt2: bytes) -> None:
    capture = app.ended(app.upload("model.py", pt2, stages=["export"]))
    assert capture["source"]["kind"] == "pt2"
    assert capture["stages"][0]["graphs"][0]["nodes"] == 3


def test_an_empty_file(app: App) -> None:
    status, answer = app.upload("model.py", b"")
    assert (status, answer["code"]) == (422, "empty-upload")
    assert answer["hint"]


def test_blank_space(app: App) -> None:
    status, answer = app.paste(" \n\t\n")
    assert (status, answer["code"]) == (422, "empty-upload")


@pytest.mark.parametrize("data", ["# é\nx = 1\n".encode("latin-1"), "x = 1\n".encode("utf-16")])
def test_text_that_is_not_utf8(app: App, data: bytes) -> None:
    status, answer = app.upload("model.py", data)
    assert (status, answer["code"]) == (422, "not-text")
    assert "UTF-8" in answer["title"] + answer["detail"] + answer["hint"]


def test_300_megabytes(app: App) -> None:
    status, answer = app.upload("big.pt2", bytes(300_000_000))
    assert (status, answer["code"]) == (413, "too-large")
    assert "64 MiB" in answer["detail"]


def test_after_all_of_these_a_sound_one_is_captured(app: App) -> None:
    assert_sound(app, app.paste(SOUND, {"stages": ["eager"]}))
    assert app.call("GET", "/healthz")[0] == 200
