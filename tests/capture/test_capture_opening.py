"""What is opened beside plain code, each against raw torch: pickled modules, TorchScript, weights, notebooks, packages."""

from __future__ import annotations

import io
import json
import os
import pickle
import struct
from pathlib import Path
from typing import Any

import pytest
import torch
from capture_forks import in_fork, put

from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.graph.document import Failure, Options
from graphcap.intake.inside.notebook import python_of

NET = """\
import torch
class Net(torch.nn.Module):
    def __init__(self, out=4):
        super().__init__()
        self.l = torch.nn.Linear(3, out)
    def forward(self, x):
        return self.l(x).relu()
"""
ONLY = """import torch
class Only(torch.nn.Module):
    @torch.jit.export
    def encode(self, x):
        return x + 1
"""
INPUTS = "x: f32[2, 3]"
SAVED = """
import pickle, sys, torch
sys.path.insert(0, ".")
from net import Net
torch.manual_seed(7)
model = Net()
def saved(value, **more):
    torch.save(value, "made.pt", **more)
    return open("made.pt", "rb").read()
torch.jit.script(model).save("script.pt")
script = open("script.pt", "rb").read()
from only import Only
torch.jit.script(Only()).save("only.pt")
only = open("only.pt", "rb").read()
"""
MAKE = {
    "module": "saved(model)",
    "legacy": "saved(model, _use_new_zipfile_serialization=False)",
    "raw": "pickle.dumps(model)",
    "graph": "saved(torch.fx.symbolic_trace(model))",
    "checkpoint": "saved({'epoch': 3, 'net': model})",
    "script": "script",
    "only": "only",
    "state": "saved(model.state_dict())",
    "parallel": "saved({'epoch': 3, 'state_dict': {'module.' + k: v for k, v in model.state_dict().items()}})",
    "compiled": "saved({'_orig_mod.module.' + k: v for k, v in model.state_dict().items()})",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Each file as torch writes it, and the model's output for ones."""
    folder = tmp_path_factory.mktemp("made")
    put(folder, {"net.py": NET, "only.py": ONLY})

    def work() -> dict[str, bytes]:
        os.chdir(folder)
        names: dict[str, Any] = {}
        exec(SAVED, names)
        answer = pickle.dumps(names["model"](torch.ones(2, 3)).tolist())
        return {"answer": answer, **{name: eval(code, names) for name, code in MAKE.items()}}

    return in_fork(work)


def load(
    folder: Path, kind: str, files: dict[str, bytes | str], **options: Any
) -> tuple[list[str], list[Failure], list[Any]]:
    """Rules and failures, and what each target answers to ones. The first file is the entry."""
    put(folder, files)

    def work() -> tuple[list[str], list[Failure], list[Any]]:
        os.chdir(folder)
        found = load_submission(folder / next(iter(files)), kind, Options(**options), submitted_files(folder))
        answers = [c.loaded.model(torch.ones(2, 3)).tolist() for c in found.candidates if not options.get("meta")]
        return [c.rule for c in found.candidates], list(found.failures), answers

    return in_fork(work)


@pytest.mark.parametrize(
    ("name", "kind", "rule"),
    [
        ("module", "pickle", "the nn.Module pickled in m.pt, with the inputs given"),
        ("legacy", "pickle", "the nn.Module pickled in m.pt, with the inputs given"),
        ("raw", "pickle", "the nn.Module pickled in m.pt, with the inputs given"),
        ("graph", "pickle", "the fx GraphModule pickled in m.pt, with the inputs given"),
        ("checkpoint", "pickle", "the nn.Module pickled in m.pt under the key 'net', with the inputs given"),
        ("script", "torchscript", "the TorchScript module Net in m.pt, converted to an exported program by torch"),
    ],
)
def test_a_saved_model_answers_as_the_one_that_was_saved(
    made: dict[str, bytes], tmp_path: Path, name: str, kind: str, rule: str
) -> None:
    rules, failures, answers = load(tmp_path, kind, {"m.pt": made[name], "net.py": NET}, inputs=INPUTS)
    assert not failures and rules[0].startswith(rule)
    assert answers == [pickle.loads(made["answer"])]


def test_the_code_of_a_pickled_class_may_lie_in_another_file_which_gives_the_inputs_too(
    made: dict[str, bytes], tmp_path: Path
) -> None:
    code = NET + "example_args = (torch.randn(5, 3),)\n"
    rules, _, answers = load(tmp_path, "pickle", {"m.pt": made["module"], "other.py": code})
    assert rules == ["the nn.Module pickled in m.pt, with `example_args` of the code beside it"]
    assert answers == [pickle.loads(made["answer"])]


@pytest.mark.parametrize("name", ["my-net (1).py", "14_net.py", "code.py"])
def test_the_code_of_a_pickled_class_may_lie_in_a_file_that_no_import_finds(
    made: dict[str, bytes], tmp_path: Path, name: str
) -> None:
    rules, failures, answers = load(tmp_path, "pickle", {"m.pt": made["module"], name: NET}, inputs=INPUTS)
    assert rules and not failures and answers == [pickle.loads(made["answer"])]


def test_without_its_code_or_its_inputs_a_pickled_module_says_what_to_send(made: dict[str, bytes], tmp_path: Path) -> None:
    _, (missing,), _ = load(tmp_path, "pickle", {"m.pt": made["module"]})
    assert "names Net of the module net, whose code is not among the files" in missing.message and missing.hints
    _, (asked,), _ = load(tmp_path, "pickle", {"m.pt": made["module"], "net.py": NET})
    assert "it needs inputs (x)" in asked.message and "x: f32[2, 3]" in asked.hints[0]
    _, (script,), _ = load(tmp_path, "torchscript", {"m.pt": made["script"]})
    assert "it needs inputs (x)" in script.message


@pytest.mark.parametrize(("kind", "name"), [("pickle", "module"), ("torchscript", "script")])
def test_inputs_of_the_code_beside_that_can_not_be_used_are_not_said_of_the_file(
    made: dict[str, bytes], tmp_path: Path, kind: str, name: str
) -> None:
    code = NET + "example_args = (torch.randn(5, 3),)\nexample_kwargs = 3\n"
    _, (failure,), _ = load(tmp_path, kind, {"m.pt": made[name], "net.py": code})
    assert failure.type == "bad-inputs" and "`example_kwargs` is a int; it must be a dict" in failure.message


def test_torchscript_without_forward_names_its_methods(made: dict[str, bytes], tmp_path: Path) -> None:
    _, (failure,), _ = load(tmp_path, "torchscript", {"m.pt": made["only"]}, inputs=INPUTS)
    assert failure.message == "the TorchScript module Only in m.pt has no `forward`; its methods: encode."


def test_a_pickled_program_is_told_how_to_be_saved(tmp_path: Path) -> None:
    def saved() -> bytes:
        stream = io.BytesIO()
        program = torch.export.export(torch.nn.Linear(3, 2), (torch.ones(2, 3),))
        torch.save({"program": program}, stream)
        stream.seek(0)
        with pytest.raises(TypeError):  # when torch reads its own, so should we
            torch.load(stream, weights_only=False)
        return stream.getvalue()

    _, (failure,), _ = load(tmp_path, "pickle", {"m.pt": in_fork(saved)})
    assert "can not read back" in failure.message and "torch.export.save" in failure.hints[0]


class Hostile:
    def __reduce__(self) -> Any:
        return os.system, ("touch touched",)


@pytest.mark.parametrize("archive", [False, True])
def test_a_pickle_that_runs_code_is_reported(tmp_path: Path, archive: bool) -> None:
    stream = io.BytesIO()
    torch.save(Hostile(), stream)
    data = stream.getvalue() if archive else pickle.dumps(Hostile())
    _, (failure,), _ = load(tmp_path, "pickle", {"m.pt": data})
    assert "Opening the pickle also called posix.system" in failure.message
    assert (tmp_path / "touched").exists(), "it was run, which is why this is done in the jail only"


@pytest.mark.parametrize(
    ("name", "kind"), [("module", "pickle"), ("raw", "pickle"), ("script", "torchscript"), ("state", "weights")]
)
def test_a_file_cut_short_is_a_failure_with_what_to_do(made: dict[str, bytes], tmp_path: Path, name: str, kind: str) -> None:
    _, failures, _ = load(tmp_path, kind, {"m.pt": made[name][: len(made[name]) // 2]}, inputs=INPUTS)
    assert failures and failures[0].hints


def safetensors(**shapes: list[int]) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, shape in shapes.items():
        size = 4 * torch.Size(shape).numel()
        header[name.replace("_", ".")] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + b"\0" * at


@pytest.mark.parametrize("name", ["state", "parallel", "compiled"])
def test_weights_beside_the_code_are_loaded_into_its_model(made: dict[str, bytes], tmp_path: Path, name: str) -> None:
    rules, failures, answers = load(tmp_path, "py", {"net.py": NET, "w.pt": made[name]}, inputs=INPUTS)
    assert not failures and rules[0].endswith("; w.pt loaded into it (2 tensors)")
    assert answers == [pickle.loads(made["answer"])]


def test_safetensors_are_loaded_too_and_what_does_not_fit_is_listed_whole(tmp_path: Path) -> None:
    fits, bad = safetensors(l_weight=[4, 3], l_bias=[4]), safetensors(l_weight=[5, 3], head=[2])
    rules, _, answers = load(tmp_path, "py", {"net.py": NET, "w.safetensors": fits}, inputs=INPUTS)
    assert "w.safetensors loaded into it" in rules[0] and answers == [[[0.0] * 4] * 2]
    _, (failure,), _ = load(tmp_path, "py", {"net.py": NET, "w.safetensors": bad}, inputs=INPUTS)
    assert failure.type == "weights-do-not-fit"
    assert failure.message.split("\n")[1:] == [
        "of another shape: l.weight is [5, 3] in the file, [4, 3] in the model",
        "missing in the file: l.bias [4]",
        "unknown to the model: head [2]",
    ]


def test_parts_of_the_same_weights_are_taken_together(tmp_path: Path) -> None:
    one, two = "w-00001-of-00002.safetensors", "w-00002-of-00002.safetensors"
    parts: dict[str, bytes | str] = {one: safetensors(l_weight=[4, 3]), two: safetensors(l_bias=[4])}
    rules, _, answers = load(tmp_path / "both", "py", {"net.py": NET, **parts}, inputs=INPUTS)
    assert rules[0].endswith("; w-*-of-00002.safetensors loaded into it (2 tensors)") and answers == [[[0.0] * 4] * 2]
    _, (failure,), _ = load(tmp_path / "alone", "weights", parts)
    assert failure.message.startswith("w-*-of-00002.safetensors holds 2 tensors")
    rules, _, _ = load(tmp_path / "one", "py", {"net.py": NET, one: parts[one]}, inputs=INPUTS)
    assert rules[0].endswith(f"; left out: {one} (is one of 2 parts, of which 1 came: send all of them)")


def test_weights_that_the_code_opens_itself_are_left_to_it(made: dict[str, bytes], tmp_path: Path) -> None:
    code = NET + "model = Net()\nmodel.load_state_dict(torch.load('w.pt'))\n"
    rules, _, answers = load(tmp_path, "py", {"net.py": code, "w.pt": made["state"]}, inputs=INPUTS)
    assert "loaded into it" not in rules[0] and answers == [pickle.loads(made["answer"])]


def test_weights_alone_are_explained_with_their_table(made: dict[str, bytes], tmp_path: Path) -> None:
    _, (failure,), _ = load(tmp_path, "weights", {"w.pt": made["state"]})
    assert failure.type == "no-graph" and "2 tensors under names (16 numbers, 64 bytes), and no graph" in failure.message
    assert failure.message.split("\n")[-2:] == ["l.weight  float32  [4, 3]     48", "l.bias    float32  [4]        16"]


@pytest.mark.parametrize("data", [safetensors(a=[4])[:-1], struct.pack("<Q", 1 << 60) + b"{}", struct.pack("<Q", 2) + b"[]"])
def test_a_damaged_safetensors_file_is_told(tmp_path: Path, data: bytes) -> None:
    _, (failure,), _ = load(tmp_path, "weights", {"w.safetensors": data})
    assert failure.type == "bad-weights" and failure.hints


NAMED = "model = Net()\nexample_args = (torch.ones(2, 3),)\n"


@pytest.mark.parametrize(
    "files",
    [
        {"model.py": f"import torch\nfrom .net import Net\n{NAMED}", "net.py": NET},
        {"pkg/model.py": f"import torch\nfrom .net import Net\n{NAMED}", "pkg/net.py": NET, "pkg/__init__.py": ""},
        {"src/pkg/sub/model.py": f"import torch\nfrom ..net import Net\n{NAMED}", "src/pkg/net.py": NET},
        {
            "run.py": f"import torch\nfrom pkg import Net\n{NAMED}",
            "pkg/net.py": NET,
            "pkg/__init__.py": "from .net import Net",
        },
        {
            "scripts/train.py": f"import torch\nfrom pkg import Net\n{NAMED}",
            "src/pkg/__init__.py": NET,
            "pyproject.toml": "",
        },
    ],
)
def test_files_import_each_other(tmp_path: Path, files: dict[str, bytes | str]) -> None:
    rules, failures, _ = load(tmp_path, "py", files)
    assert not failures and rules == ["`model` and `example_args` in the file"]


def notebook(*cells: str) -> dict[str, bytes | str]:
    text = json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4})
    return {"nb.ipynb": text, "nb.ipynb.py": python_of(text.encode(), "nb.ipynb", 1024)}


def test_a_notebook_says_what_was_skipped_and_in_which_cell_it_failed(tmp_path: Path) -> None:
    rules, _, _ = load(tmp_path, "ipynb", notebook("%matplotlib inline", NET, NAMED))
    assert rules == ["`model` and `example_args` in the file; skipped as no Python: %matplotlib inline (cell 1, line 1)"]
    _, (inputs, failure), _ = load(tmp_path, "ipynb", notebook(NET, "y = 1\nundefined"))
    assert "it needs inputs (x)" in inputs.message
    assert failure.frame is not None and failure.type == "NameError"
    assert (failure.frame.file, failure.frame.place) == ("nb.ipynb.py", "cell 2, line 2")
    (rule,), _, _ = load(tmp_path, "ipynb", notebook(NET, "torch.compile(Net())(torch.ones(2, 3))", "y = 1\nundefined"))
    assert "stopped cells: NameError: name 'undefined' is not defined (cell 3, line 2)" in rule


def test_a_cell_that_fails_keeps_nothing_from_being_captured_that_others_make(tmp_path: Path) -> None:
    first = "from __future__ import annotations\nimport matplotlib_is_not_here.pyplot as plt\nimport torch"
    cells = (first, NET, NAMED, "plt.plot([1])\nmodel = None", "display(model)")
    rules, failures, answers = load(tmp_path, "ipynb", notebook(*cells))
    assert not failures and len(answers) == 1
    assert rules[0].endswith(
        "; stopped cells: ModuleNotFoundError: No module named 'matplotlib_is_not_here' (cell 1, line 2), "
        "NameError: name 'plt' is not defined (cell 4, line 1)"
    )


def test_where_no_cell_makes_a_model_the_first_failure_is_told_first(tmp_path: Path) -> None:
    _, failures, _ = load(tmp_path, "ipynb", notebook("import transformers_is_not_here as t", "model = t.AutoModel()"))
    assert [failure.type for failure in failures] == ["ModuleNotFoundError", "NameError", "nothing-to-capture"]
