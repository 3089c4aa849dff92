"""Inputs that are guessed from the code alone are such that the models of the gallery take them."""

from __future__ import annotations

from pathlib import Path

import pytest
from capture_forks import in_fork

from graphcap.capture.find import modules
from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.capture.find.targets import Finding
from graphcap.capture.find.watching import watching
from graphcap.capture.find.weights import state, weights
from graphcap.graph.document import Options
from graphcap.intake import kinds, upload
from graphcap.intake.accept import accept_code
from graphcap.intake.reading import rules
from graphcap.intake.reading.look import guessed_inputs, look
from graphcap.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "graphcap" / "web" / "examples"


@pytest.mark.parametrize(
    ("example", "guessed"),
    [
        ("02_mlp", "x: f32[2, 16], label: i64[2]"),
        ("03_cnn", "image: f32[2, 3, 32, 32]"),
        ("05_lstm", "ids: i64[2, 16] < 100"),
        ("12_batch_norm", "f32[2, 4]"),
        ("17_lora", "f32[2, 32]"),
    ],
)
def test_a_guess_is_what_the_model_takes(tmp_path: Path, example: str, guessed: str) -> None:
    code = (EXAMPLES / f"{example}.py").read_text(encoding="utf-8").replace("example_args", "other_args")
    (tmp_path / "model.py").write_text(code, encoding="utf-8")
    assert look(accept_code(code, None, None, Settings()), {}).guessed == guessed

    def work() -> list[str]:
        found = load_submission(tmp_path / "model.py", "py", Options(inputs=guessed), submitted_files(tmp_path))
        assert not found.failures, found.failures
        loaded = found.candidates[0].loaded
        return [type(loaded.model(*loaded.args, **loaded.kwargs)).__name__]

    assert in_fork(work)


NET = """
import dataclasses, torch
from torch import nn
@dataclasses.dataclass
class Batch:
    ids: torch.Tensor
    image: torch.Tensor
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 8)
        self.conv = nn.Conv2d(3, 8, 3)
        self.out = nn.Linear(8, 2)
    def forward(self, {takes}):
        return {gives}
model = {model}
"""


@pytest.mark.parametrize(
    ("takes", "gives", "model", "field"),
    [
        (
            "ids, image, n: int",
            "self.embed(ids), self.conv(image), n",
            "Net()",
            "ids: i64[2, 16] < 50\nimage: f32[2, 3, 32, 32]\nn: 1",
        ),
        ("image, mask", "self.conv(image)", "Net()", "image: f32[2, 3, 32, 32]\nmask: f32[2, 3]"),
        (
            "batch: Batch",
            "self.embed(batch.ids), self.conv(batch.image)",
            "Net()",
            "batch: {'ids': i64[2, 16] < 50, 'image': f32[2, 3, 32, 32]}",
        ),
        ("*xs", "self.out(sum(xs))", "vars(nn)['Linear'](8, 4).bfloat16()", "input: bf16[2, 8]"),
        ("*xs", "self.embed(xs[0])", "Net()", "i64[2, 16] < 50"),
        ("image, *, ids", "self.embed(ids), self.conv(image)", "Net()", "image: f32[2, 3, 32, 32]\nids: i64[2, 16] < 50"),
        ("x", "self.lstm(x)", "vars(nn)['LSTM'](4, 5).double()", "input: f64[16, 2, 4]"),
    ],
)
def test_the_lines_to_add_are_such_as_the_code_and_the_layers_tell(
    tmp_path: Path, takes: str, gives: str, model: str, field: str
) -> None:
    """Both ways of giving them that the hints name: lines of code, and the field."""
    path, code = tmp_path / "model.py", NET.format(takes=takes, gives=gives, model=model)

    def loaded(code: str, inputs: str = "") -> Finding:
        path.write_text(code)
        guessed = guessed_inputs(accept_code(code, None, None, Settings()))
        found: Finding = in_fork(lambda: _told(load_submission(path, "py", Options(inputs=inputs), {}, guessed)))
        return found

    (nothing,) = loaded(code).failures
    lines, inputs = nothing.hints
    assert inputs.partition(":\n")[2] == field
    assert [loaded(f"{code}\n{lines}").failures, loaded(code, field).failures] == [(), ()]


def _told(found: Finding) -> Finding:
    """Its models called, and left out, as they stay in the fork."""
    for each in found.candidates:
        each.loaded.model(*each.loaded.args, **each.loaded.kwargs)
    return Finding(failures=found.failures)


def test_a_look_and_a_capture_know_the_same_names() -> None:
    """Neither room may import the other."""
    assert {name.rpartition(".")[2] for name in rules.WATCHED} == set(watching.WATCHED)
    assert rules.PREFERRED == modules.PREFERRED
    assert set(kinds.SUFFIXES["weights"]) == set(weights.SUFFIXES)
    assert (state.LEGACY, state.ZIP) == (upload.LEGACY_MAGIC, upload.ZIP_MAGIC)
