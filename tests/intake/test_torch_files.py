"""Files that torch itself writes, told apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from graphcap.errors import UserError
from graphcap.intake.accept import accept_files
from graphcap.intake.submission import Submission
from graphcap.intake.upload import Upload
from graphcap.settings import Settings

pytestmark = pytest.mark.torch

WRITE = """
import torch
model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
torch.export.save(torch.export.export(model, (torch.randn(1, 2),)), "exported.pt2")
torch.jit.script(model).save("script.pt")
torch.save(model.state_dict(), "state.pt")
adam = torch.optim.Adam(model.parameters())
torch.save({"epoch": 3, "model": model.state_dict(), "adam": adam.state_dict()}, "checkpoint.pt")
torch.save(model, "module.pt")
try:
    torch.save(torch.jit.script(model), "unfinished.pt")
except RuntimeError:
    pass
torch.save(model.state_dict(), "old.pt", _use_new_zipfile_serialization=False)
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    subprocess.run([sys.executable, "-W", "ignore", "-c", WRITE], cwd=folder, check=True, timeout=300)
    return folder


def accept(path: Path) -> Submission:
    return accept_files([Upload(path.name, path.read_bytes())], None, Settings())


def test_an_exported_program_is_taken(written: Path) -> None:
    assert accept(written / "exported.pt2").kind == "pt2"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("script.pt", "torchscript"),
        ("state.pt", "weights"),
        ("checkpoint.pt", "weights"),
        ("module.pt", "pickle"),
        ("old.pt", "weights"),
    ],
)
def test_the_others_are_told_apart(written: Path, name: str, kind: str) -> None:
    assert accept(written / name).kind == kind


def test_what_torch_began_to_save_is_told_as_that(written: Path) -> None:
    with pytest.raises(UserError, match="unfinished file of torch.save") as refused:
        accept(written / "unfinished.pt")
    assert "module.save(file)" in refused.value.hint
