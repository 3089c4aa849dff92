"""Checkpoints as they are: with settings, numpy numbers and unknown classes in them, damaged, or under a wrong name."""

from __future__ import annotations

import argparse
import io
import os
import pickle
import sys
import types
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch
from capture_forks import in_fork, put

from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.capture.find.weights.state import read_state
from graphcap.client.making.child import code_in
from graphcap.graph.document import Failure, Options

STATE = {"l.weight": torch.ones(4, 3), "l.bias": torch.zeros(4)}
CODE = """\
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 4)
    def forward(self, x):
        return self.l(x)
model = Net()
example_args = (torch.ones(2, 3),)
"""
LOADED = "`model` and `example_args` in the file; w.pt loaded into it (2 tensors)"


class Settings:
    """Of a module that is not beside the file."""

    def __init__(self) -> None:
        self.width = 3


class Hostile:
    def __reduce__(self) -> Any:
        return os.system, ("touch touched",)


def saved(value: Any, **options: Any) -> bytes:
    stream = io.BytesIO()
    torch.save(value, stream, **options)
    return stream.getvalue()


def elsewhere(value: Any) -> bytes:
    """Saved, with `Settings` in a module that only its writer has."""
    module = types.ModuleType("project")
    Settings.__module__, module.Settings = "project", Settings  # type: ignore[attr-defined]
    sys.modules["project"] = module
    try:
        return saved(value)
    finally:
        del sys.modules["project"]


def damaged(data: bytes) -> bytes:
    """Its table of contents names more bytes of extra fields than there are."""
    at = data.rindex(b"PK\x01\x02")
    return data[: at + 30] + b"\x05\x00" + data[at + 32 :]


def load(
    folder: Path, kind: str, files: dict[str, bytes | str], *, in_place: bool = False
) -> tuple[list[str], list[Failure], list[Any]]:
    """Rules, failures, and the sum of what each target answers. The first file is the entry."""
    put(folder, files)

    def work() -> tuple[list[str], list[Failure], list[Any]]:
        os.chdir(folder)
        users = code_in(folder) if in_place else submitted_files(folder)
        found = load_submission(folder / next(iter(files)), kind, Options(), users)
        sums = [float(c.loaded.model(*c.loaded.args).sum()) for c in found.candidates]
        return [c.rule for c in found.candidates], list(found.failures), sums

    return in_fork(work)


CHECKPOINTS = {
    "argparse.Namespace": saved({"model": STATE, "args": argparse.Namespace(lr=1)}),
    "project.Settings": elsewhere({"model": STATE, "cfg": Settings()}),
    "posix.system": saved({"model": STATE, "more": Hostile()}),
    "pathlib.PosixPath": saved({"model": STATE, "at": Path("a")}, _use_new_zipfile_serialization=False),
    "": pickle.dumps({"model": STATE, "epoch": 3}),
}


@pytest.mark.parametrize("unread", CHECKPOINTS)
def test_the_tensors_of_a_checkpoint_are_loaded_whatever_else_is_in_it_and_nothing_of_it_is_called(
    tmp_path: Path, unread: str
) -> None:
    rules, failures, sums = load(tmp_path, "py", {"net.py": CODE, "w.pt": CHECKPOINTS[unread]})
    assert not failures and sums == [24.0]
    assert rules == [f"{LOADED}; not read in it: {unread}" if unread else LOADED]
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize(
    "data", [damaged(saved(STATE)), saved(STATE)[:-400], b"PK\x03\x04", b"text", saved([torch.ones(2)])]
)
def test_a_file_that_is_damaged_or_holds_no_weights_is_left_out_and_told(tmp_path: Path, data: bytes) -> None:
    (rule,), failures, sums = load(tmp_path, "py", {"net.py": CODE, "old/w.pt": data})
    assert not failures and sums != [24.0]
    assert rule.startswith("`model` and `example_args` in the file; left out: old/w.pt (") and rule.endswith(")")


def test_many_files_left_out_are_counted(tmp_path: Path) -> None:
    (rule,), _, _ = load(tmp_path, "py", {"net.py": CODE, **{f"{i}.pt": b"text" for i in range(20)}})
    assert rule.endswith(" and 15 more") and len(rule) < 1000


def test_a_checkpoint_alone_with_settings_of_a_class_that_is_not_here_still_gives_its_table(tmp_path: Path) -> None:
    _, (failure,), _ = load(tmp_path, "pickle", {"w.pt": CHECKPOINTS["project.Settings"]})
    assert failure.type == "no-graph" and "Not read in it: project.Settings.\n\nname " in failure.message


def test_in_ones_own_folder_a_file_that_was_not_named_is_not_looked_at(tmp_path: Path) -> None:
    files: dict[str, bytes | str] = {"net.py": CODE, "old/w.pt": damaged(saved(STATE)), "fits.pt": saved(STATE)}
    rules, failures, _ = load(tmp_path, "py", files, in_place=True)
    assert not failures and rules == ["`model` and `example_args` in the file"]


def test_a_file_without_tensors_under_names_says_what_to_save(tmp_path: Path) -> None:
    (_, (none,), _), (_, (cut,), _) = (
        load(tmp_path, "weights", {"w.pt": data}) for data in (saved([1]), saved(STATE)[:-400])
    )
    assert none.type == cut.type == "bad-weights"
    assert "state_dict()" in none.hints[0] and "copy is complete" in cut.hints[0]


def test_code_that_is_not_ones_own_is_not_listed(tmp_path: Path) -> None:
    for name in ("net.py", "lib/site-packages/p.py", "node_modules/p.py", ".hidden/p.py", "env/p.py", "env/pyvenv.cfg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert set(code_in(tmp_path).values()) == {"net.py"}


@pytest.mark.parametrize("name", ["w.safetensors", "w.pkl", "w.bin"])
def test_the_name_of_a_file_of_weights_does_no_harm(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(saved(STATE))
    assert list(read_state(tmp_path / name).state) == list(STATE)


def test_what_only_a_terminal_understands_is_in_no_failure() -> None:
    bold = "do \x1b[1mthose\x1b[0m steps"
    failure = Failure("T", bold, bold, hints=(bold,), trace=bold)
    assert {failure.message, failure.how, *failure.hints, failure.trace} == {"do those steps"}


class Called:
    """Calls something while it is opened, and then is a tensor."""

    def __reduce__(self) -> Any:
        return eval, ("(open('touched', 'w').close(), __import__('torch').ones(2, 3))[1]",)


@pytest.fixture(scope="module")
def program() -> bytes:
    def work() -> bytes:
        stream = io.BytesIO()
        torch.export.save(torch.export.export(torch.nn.ReLU(), (torch.ones(2, 3),)), stream)
        return stream.getvalue()

    return in_fork(work)


def with_inputs(program: bytes, inputs: bytes) -> bytes:
    """The `.pt2` with other sample inputs in it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(program)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            new.writestr(name, inputs if "sample_inputs" in name else old.read(name))
    return stream.getvalue()


def test_what_a_pickle_inside_of_a_saved_program_called_is_told(tmp_path: Path, program: bytes) -> None:
    hostile = with_inputs(program, saved(((Called(),), {})))
    rules, failures, sums = load(tmp_path, "pt2", {"a.pt2": hostile})
    assert not failures and sums == [6.0] and (tmp_path / "touched").exists()
    assert rules == ["the ExportedProgram in a.pt2; opening the pickle also called builtins.eval"]
    assert load(tmp_path, "pt2", {"b.pt2": program})[0] == ["the ExportedProgram in b.pt2"]


def test_a_damaged_entry_of_a_saved_program_is_a_clear_failure(tmp_path: Path, program: bytes) -> None:
    at = program.rindex(b"PK\x01\x02")
    (tmp_path / "a.pt2").write_bytes(program[: at + 10] + b"\x63\x00" + program[at + 12 :])  # packed in no known way
    (failure,) = load_submission(tmp_path / "a.pt2", "pt2", Options(), {}).failures
    assert failure.type == "not-a-pt2" and "a damaged archive" in failure.message


def test_what_a_pickle_inside_of_a_pickle_called_is_told(tmp_path: Path) -> None:
    class Outer:
        def __reduce__(self) -> Any:
            return torch.storage._load_from_bytes, (saved(Called()),)  # type: ignore[attr-defined]

    _, (failure,), _ = load(tmp_path, "pickle", {"a.pkl": pickle.dumps(Outer())})
    assert "Opening the pickle also called builtins.eval; it ran in the jail" in failure.message


def test_sample_inputs_of_another_form_are_told_and_others_drawn(tmp_path: Path, program: bytes) -> None:
    (tmp_path / "a.pt2").write_bytes(with_inputs(program, saved({"x": torch.ones(2, 3)})))
    (candidate,) = load_submission(tmp_path / "a.pt2", "pt2", Options(), {}).candidates
    assert "are a dict, not what it is called with" in candidate.rule and len(candidate.loaded.args) == 1
    assert candidate.loaded.program is not None and candidate.loaded.program.run_decompositions().graph.nodes


@pytest.mark.parametrize("inside", [False, True])
def test_a_compiled_module_that_was_saved_is_the_one_inside(tmp_path: Path, inside: bool) -> None:
    linear = torch.nn.Linear(3, 4)
    model = torch.nn.Sequential(torch.compile(linear)) if inside else torch.compile(torch.nn.Sequential(linear))
    path = tmp_path / "m.pt"
    path.write_bytes(saved(model))

    def work() -> tuple[list[str], str]:
        (candidate,) = load_submission(path, "pickle", Options(inputs="input: f32[2, 3]"), {}).candidates
        return [type(each).__name__ for each in candidate.loaded.model.modules()], candidate.rule

    classes, rule = in_fork(work)
    assert classes == ["Sequential", "Linear"] and rule.startswith("the nn.Module pickled in m.pt, with the inputs")
