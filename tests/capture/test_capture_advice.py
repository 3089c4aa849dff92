"""What stops a person's file in a known way is told with what to do about it, whatever words the exception has."""

from __future__ import annotations

from pathlib import Path

import pytest
from capture_forks import in_fork

from graphcap.capture.find.load import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.graph.document import Failure, Options


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import no_such_package", "graphcap capture FILE"),
        ("import torch\ntorch.load('checkpoints/best.pt')", "Send 'checkpoints/best.pt' too"),
        ("import torch\ntorch.nn.Linear(2, 2).to('cuda')", "There is no GPU where this ran"),
        ("import sys\nhidden = int(sys.argv[1])", "sys.argv is its name alone"),
        ("import argparse\np = argparse.ArgumentParser()\np.add_argument('x')\np.parse_args()", "argparse ends it"),
        ("import urllib.error\nraise urllib.error.URLError('no name')", "has no network"),
        ("raise RuntimeError('It looks like there is no internet connection')", "has no network"),
        ("import socket\nraise PermissionError(1, 'no')  # socket", "has no network"),
    ],
)
def test_the_next_step_is_told(tmp_path: Path, code: str, said: str) -> None:
    (failure,) = failures_of(tmp_path, code)
    assert said in failure.hints[0]


@pytest.mark.parametrize("code", ["import sys\nsys.exit(1)", "raise PermissionError(1, 'no')", "[][1]"])
def test_what_is_not_known_gets_no_advice(tmp_path: Path, code: str) -> None:
    (failure,) = failures_of(tmp_path, code)
    assert not failure.hints


def failures_of(folder: Path, code: str) -> tuple[Failure, ...]:
    path = folder / "net.py"
    path.write_text(code)
    return in_fork(lambda: load_submission(path, "py", Options(), submitted_files(folder)).failures)
