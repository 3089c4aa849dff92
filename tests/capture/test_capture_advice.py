"""What stops a person's file in a known way is told with what to do about it, whatever words the exception has."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from capture_forks import in_fork

from graphcap.capture.failures import failure_of
from graphcap.capture.find.code.importing import submitted_files
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
        ("import os\nos.environ['RANK']", "not started by torchrun"),
        ("raise EOFError  # input('width? ')", "has no terminal"),
        ("import urllib.error\nraise urllib.error.URLError('no name')", "has no network"),
        ("raise RuntimeError('It looks like there is no internet connection')", "has no network"),
        ("import sys\nsys.exit(2)", "gets no arguments"),
        ("from torch.multiprocessing.spawn import ProcessExitedException as E\nraise E('x', 0, 0, 1)", "worker(0)"),
        ("import torch\ntorch.ones(2).to('mps')", "There is no GPU where this ran"),
        ("raise NotImplementedError('FlexAttention does not support backward on CPU.')", "model.requires_grad_(False)"),
        ("import numpy, torch\ntorch.nn.Linear(2, 2)(numpy.ones(2))", "torch.from_numpy(x)"),
        ("import socket\nraise PermissionError(1, 'no')  # socket", "has no network"),
    ],
)
def test_the_next_step_is_told(tmp_path: Path, code: str, said: str) -> None:
    (failure,) = failures_of(tmp_path, code)
    assert said in failure.hints[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('Traceback (most recent call last):\n  File "train.py", line 1, in <module>\nValueError: x\n', "an error printed"),
        ("a.py:3: UserWarning: 08\n[rank0]: Traceback (most recent call last):\n", "an error printed"),
        (">>> import torch\n>>> torch.ones(2)\ntensor([1., 1.])\n", "copied from a prompt"),
        ("import torch\n!pip install einops\n", "a notebook's"),
        ("%matplotlib inline\nimport torch\n", "a notebook's"),
        ("import torch\nname = \u201chi\u201d\n", "Quotes or spaces"),
        ("x = 1\n<<<<<<< HEAD\ny = 1\n", "Two versions"),
        ("The model is:\n\n```python\nimport torch\n```\n", "between the lines ```"),
        ("graph():\n    %x : [num_users=1] = placeholder[target=x]\n", "a printed graph"),
        ("Net(\n  (fc): Linear(in_features=8, out_features=4, bias=True)\n)\n", "print(model)"),
        ("python train.py --lr 0.1\n", "a command"),
        ("https://github.com/pytorch/pytorch\n", "not fetched"),
        ("\n    import torch\n    x = 1\n", "All of it is indented"),
    ],
)
def test_text_that_is_no_code_is_told_as_what_it_is(tmp_path: Path, text: str, said: str) -> None:
    (failure,) = failures_of(tmp_path, text)
    assert failure.type in ("SyntaxError", "IndentationError") and said in failure.hints[0]


@pytest.mark.parametrize("code", ['"""Net.\n\n```\n>>> 1\n```\n"""\nimport torch\nx = = 1\n', "x = [1,\n    ?]\n"])
def test_code_with_a_mistake_is_left_to_pythons_words(tmp_path: Path, code: str) -> None:
    (failure,) = failures_of(tmp_path, code)
    assert failure.type == "SyntaxError" and not failure.hints


@pytest.mark.parametrize("code", ["import sys\nsys.exit(1)", "raise PermissionError(1, 'no')", "[][1]"])
def test_what_is_not_known_gets_no_advice(tmp_path: Path, code: str) -> None:
    (failure,) = failures_of(tmp_path, code)
    assert not failure.hints


def test_a_dataloader_that_can_not_start_its_workers_is_told_to_have_none(tmp_path: Path) -> None:
    code = "import _multiprocessing, torch\nclass SemLock:\n    SEM_VALUE_MAX = 1\n"
    code += "    def __init__(*args): raise OSError(2, 'No such file')\n_multiprocessing.SemLock = SemLock\n"
    code += "next(iter(torch.utils.data.DataLoader([1], num_workers=1)))"
    (failure,) = failures_of(tmp_path, code)
    assert "num_workers=0" in failure.hints[0]


DATACLASS = """
import dataclasses, torch
@dataclasses.dataclass
class Batch:
    x: torch.Tensor
class Net(torch.nn.Module):
    def forward(self, batch):
        return {returned}
given = (Batch(torch.ones(2)),)
"""


@pytest.mark.parametrize("returned", ["batch.x + 1", "Batch(batch['x'] + 1)"])
@pytest.mark.parametrize("strict", [True, False])
def test_a_dataclass_that_export_does_not_know_can_be_registered(tmp_path: Path, returned: str, strict: bool) -> None:
    (tmp_path / "batches.py").write_text(DATACLASS.format(returned=returned))

    def work() -> tuple[str, int]:
        sys.path.insert(0, str(tmp_path))
        names: Any = vars(importlib.import_module("batches"))
        given = names["given"] if "batch.x" in returned else ({"x": torch.ones(2)},)
        with pytest.raises(Exception, match="(?s).*") as refused:
            torch.export.export(names["Net"](), given, strict=strict)
        hint = failure_of(refused.value, {}).hints[0]
        exec(hint.splitlines()[-1], names)
        return hint, len(torch.export.export(names["Net"](), given, strict=strict).graph.nodes)

    hint, nodes = in_fork(work)
    assert hint.endswith("torch.export.register_dataclass(Batch)") and nodes == 3


def failures_of(folder: Path, code: str) -> tuple[Failure, ...]:
    path = folder / "net.py"
    path.write_text(code)
    return in_fork(lambda: load_submission(path, "py", Options(), submitted_files(folder)).failures)
