"""What annotations say of inputs and arguments: a dict of the fields makes a dataclass or NamedTuple, hints name classes."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from capture_forks import in_fork

from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.capture.find.targets import Finding
from graphcap.graph.document import Failure, Options

NET = """\
import dataclasses
from typing import NamedTuple, Optional
import torch
{record}
    x: torch.Tensor
    scale: float = 2.0
class Net(torch.nn.Module):
    def forward(self, batch: {annotation}):
        return batch.x * batch.scale
"""
RECORDS = ["@dataclasses.dataclass\nclass Batch:", "class Batch(NamedTuple):"]


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("annotation", ["Batch", "Optional[Batch]", "'Batch'", "Batch | None"])
def test_a_dict_of_its_fields_makes_a_record(tmp_path: Path, record: str, annotation: str) -> None:
    code = NET.format(record=record, annotation=annotation)
    assert answer(tmp_path, code, "batch: {'x': f32[2, 8], 'scale': 0.0}") == [[0.0] * 8] * 2
    assert answer(tmp_path, code, "{'x': i64[2] < 1}") == [0.0, 0.0]


@pytest.mark.parametrize("record", RECORDS)
def test_named_dimensions_of_a_records_fields_are_dynamic_in_export(tmp_path: Path, record: str) -> None:
    code = NET.format(record=record, annotation="Batch").replace(
        "scale: float = 2.0", "left: object = None\n    y: object = 0"
    )
    code = code.replace("batch.scale", "batch.y")
    if "dataclass" in record:
        code = code.replace("class Net", "torch.export.register_dataclass(Batch)\nclass Net")

    def work() -> list[str]:
        (loaded,) = (each.loaded for each in load(tmp_path, code, "batch: {'x': f32[b=2, 8], 'y': f32[b=2, 8]}").candidates)
        program = torch.export.export(loaded.model, loaded.args, loaded.kwargs, dynamic_shapes=loaded.dynamic_shapes)
        values = [node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"]
        return [str(value.shape[0]) for value in values if isinstance(value, torch.Tensor)]

    (first, second) = in_fork(work)
    assert first == second and not first.isdigit()


def test_a_field_that_is_wrong_or_missing_is_told(tmp_path: Path) -> None:
    code = NET.format(record=RECORDS[0], annotation="Batch")
    assert failure_of(tmp_path, code, "batch: {'y': f32[2]}").message == "batch is a Batch(x, scale): it has no 'y'"
    assert failure_of(tmp_path, code, "batch: {'scale': 1.0}").message == "batch is a Batch(x, scale): no value for x"


def test_the_hints_are_of_the_annotated_type(tmp_path: Path) -> None:
    code = NET.format(record=RECORDS[0], annotation="Batch")
    lines, field = failure_of(tmp_path, code, "").hints
    assert "example_args = (Batch(x=torch.randn(2, 3), scale=torch.randn(2, 3)),)" in lines
    assert field.endswith("batch: {'x': f32[2, 3], 'scale': f32[2, 3]}")
    code = code.replace("batch: Batch", "batch: list[torch.Tensor]")
    lines, field = failure_of(tmp_path, code, "").hints
    assert "example_args = ([torch.randn(2, 3), torch.randn(2, 3)],)" in lines and field.endswith("[f32[2, 3], f32[2, 3]]")


def test_a_config_is_named_in_the_line_that_makes_the_model(tmp_path: Path) -> None:
    code = NET.format(record=RECORDS[0], annotation="Batch") + "    def __init__(self, config: Batch, n: int): pass\n"
    assert "Net(config=Batch(x=...), n=...)" in failure_of(tmp_path, code, "").hints[-1]


def test_a_config_with_defaults_is_made_by_itself(tmp_path: Path) -> None:
    code = "import torch\nclass Config:\n    def __init__(self, n=3, **more): self.n = n\n"
    code += "class Net(torch.nn.Module):\n    def __init__(self, config: 'Config', wide=1):\n        super().__init__()\n"
    code += "        self.n = config.n\n    def forward(self, x): return x * 0 + self.n\n"
    assert answer(tmp_path, code, "x: f32[2]") == [3.0, 3.0]
    assert in_fork(lambda: load(tmp_path, code, "x: f32[2]").candidates[0].rule).startswith(
        "the class Net, made with config=Config(), with the inputs given"
    )
    assert failure_of(tmp_path, code, "").hints[0].startswith("model = Net(config=Config())\n")


def test_a_module_without_forward_is_told_how_its_step_is_captured(tmp_path: Path) -> None:
    code = "import torch\nclass Net(torch.nn.Module):\n    def log(self): pass\n"
    code += "    @property\n    def trainer(self): raise RuntimeError('not attached')\n"
    code += "    def training_step(self, batch, i): return batch * i\n"
    failure = failure_of(tmp_path, code, "")
    assert "it has no `forward`" in failure.message
    assert failure.hints[0].startswith("model = Net()\nmodel.forward = model.training_step\n")
    assert answer(tmp_path, code + failure.hints[0].replace("randn", "ones"), "") == [[1.0] * 3] * 2


def answer(folder: Path, code: str, inputs: str) -> object:
    def work() -> object:
        (loaded,) = (each.loaded for each in load(folder, code, inputs).candidates)
        return loaded.model(*loaded.args, **loaded.kwargs).tolist()

    return in_fork(work)


def failure_of(folder: Path, code: str, inputs: str) -> Failure:
    return in_fork(lambda: load(folder, code, inputs).failures[0])


def load(folder: Path, code: str, inputs: str) -> Finding:
    (folder / "net.py").write_text(code)
    return load_submission(folder / "net.py", "py", Options(inputs=inputs), submitted_files(folder))
