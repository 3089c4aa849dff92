"""Inputs that are guessed from the code alone are such that the models of the gallery take them."""

from __future__ import annotations

from pathlib import Path

import pytest
from capture_forks import in_fork

from graphcap.capture.find import modules
from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.capture.find.watching import watching
from graphcap.capture.find.weights import state, weights
from graphcap.graph.document import Options
from graphcap.intake import kinds, upload
from graphcap.intake.accept import accept_code
from graphcap.intake.reading import rules
from graphcap.intake.reading.look import look
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


def test_a_look_and_a_capture_know_the_same_names() -> None:
    """Neither room may import the other."""
    assert {name.rpartition(".")[2] for name in rules.WATCHED} == set(watching.WATCHED)
    assert rules.PREFERRED == modules.PREFERRED
    assert set(kinds.SUFFIXES["weights"]) == set(weights.SUFFIXES)
    assert (state.LEGACY, state.ZIP) == (upload.LEGACY_MAGIC, upload.ZIP_MAGIC)
