"""The options of a capture do what the same options of raw torch do; a saved program is captured as torch loads it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from graphcap.graph.document import Options
from tests.truth.compared import compare_stage
from tests.truth.processes import Runs
from tests.truth.sources import FOLDERS, ROOT, STAGES, Case

pytestmark = pytest.mark.torch

OPTIONS = {
    "eval": Options(mode="eval"),
    "train": Options(mode="train"),
    "decomposed": Options(decompositions="core_aten"),
    "default-partitioner": Options(partitioner="default"),
    "meta": Options(meta=True),
}
MODELS = ["examples/03_cnn", "examples/04_gpt", "examples/12_batch_norm", "cases/deep_recompute", "hard/random_ops"]


def path(model: str) -> Path:
    folder, stem = model.split("/")
    return FOLDERS[folder] / f"{stem}.py"


VARIANTS = [Case(f"{model}:{name}", path(model), options) for model in MODELS for name, options in OPTIONS.items()]


@pytest.mark.parametrize("case", VARIANTS, ids=lambda case: case.id)
def test_options_do_what_torchs_own_do(case: Case, runs: Runs) -> None:
    assert_equal(case, runs)


def assert_equal(case: Case, runs: Runs) -> None:
    for stage in STAGES:
        comparison = compare_stage(stage, runs.torch(case), runs.graphcap(case))
        assert comparison.verdict != "different", f"{stage}:\n\n" + "\n\n".join(comparison.differences)


SAVED = ["examples/02_mlp", "examples/07_cond", "examples/12_batch_norm", "examples/13_dynamic_shapes", "hard/constants"]
SAVE = """import sys, torch
from tests.truth.loading import load
for path, saved in zip(sys.argv[1::2], sys.argv[2::2]):
    one = load(path, {"meta": False, "mode": "as_written"})
    torch.export.save(torch.export.export(one.model, one.args, one.kwargs, dynamic_shapes=one.dynamic_shapes), saved)
"""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The models of SAVED, each exported and saved by torch."""
    folder: Path = tmp_path_factory.mktemp("saved")
    found = {model: folder / f"m{i}.pt2" for i, model in enumerate(SAVED)}
    arguments = [str(part) for model in SAVED for part in (path(model), found[model])]
    subprocess.run([sys.executable, "-W", "ignore", "-c", SAVE, *arguments], check=True, cwd=ROOT)
    return found


@pytest.mark.parametrize("model", SAVED)
def test_a_saved_program_is_what_torch_loads(model: str, saved: dict[str, Path], runs: Runs) -> None:
    assert_equal(Case(f"{model}.pt2", saved[model]), runs)
