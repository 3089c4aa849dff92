"""Programs as files: what `torch.export.load` makes of them, held against the program itself."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import torch
from capture_forks import in_fork
from capture_runs import Run, run_capture
from torch import nn

from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.programs import called
from graphcap.capture.find.submission import load_submission
from graphcap.capture.routes import STATIC
from graphcap.capture.saving.program import program_bytes
from graphcap.graph.document import Options, TensorMeta
from graphcap.graph.stream import Added

CODE = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 64)
        self.tied = nn.Linear(64, 64)
        self.tied.weight = self.first.weight
        self.norm = nn.BatchNorm1d(64)
        self.register_buffer("scale", torch.full((64,), 7.25), persistent=False)
        self.table = torch.full((64,), 7.25)
    def forward(self, x):
        return self.norm(self.first(x) + self.tied(x)) * self.scale + self.table + torch.tensor([0.5])
model = Net().eval()
with torch.no_grad():
    for p in model.parameters():
        p.fill_(7.25)
example_args = (torch.full((4, 64), 7.25),)
"""
MARK = torch.tensor([7.25, 7.25]).numpy().tobytes()


def made() -> tuple[nn.Module, tuple[torch.Tensor, ...]]:
    names: dict[str, object] = {"__name__": "made"}
    exec(CODE, names)
    return names["model"], names["example_args"]  # type: ignore[return-value]


@pytest.fixture(scope="module")
def captured() -> Run:
    return run_capture(CODE, stages=("export", "core_aten"))


def programs(run: Run) -> dict[str, bytes]:
    return {saved.graph: saved.data for message in run.messages if isinstance(message, Added) for saved in message.programs}


def test_a_capture_saves_its_programs_without_values(captured: Run) -> None:
    found = programs(captured)
    assert list(found) == ["export.0", "core_aten.0"]
    for gid, data in found.items():
        assert MARK not in data and len(data) < 64_000, gid
    (graph,) = captured.stage("export").graphs

    def load() -> tuple[str, set[str]]:
        loaded = torch.export.load(io.BytesIO(found["export.0"]))
        return str(loaded.graph), {tensor.device.type for tensor in loaded.state_dict.values()}

    text, devices = in_fork(load)
    assert (text, devices) == (graph.text, {"meta"})


def test_a_saved_program_computes_once_it_has_weights_again() -> None:
    def work() -> tuple[bool, list[str], bool]:
        model, args = made()
        data = program_bytes(torch.export.export(model, args))
        loaded = torch.export.load(io.BytesIO(data))
        module = loaded.module()
        module.load_state_dict(model.state_dict(), assign=True)
        again = dict(module.named_parameters())
        for name in ("scale", "table"):
            setattr(module, name, getattr(model, name))
        same = torch.equal(module(*args), model(*args))
        whole = torch.export.load(io.BytesIO(program_bytes(torch.export.export(model, args), weights=True)))
        return same, sorted(again), torch.equal(whole.module()(*args), model(*args))

    same, names, whole = in_fork(work)
    assert same and whole
    assert {"first.weight", "first.bias", "tied.bias", "norm.weight", "norm.bias"} <= set(names)


def test_a_program_that_can_not_be_saved_leaves_a_note() -> None:
    code = """
import torch
@torch.library.custom_op("mine::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2
double.register_fake(torch.empty_like)
class Wrapped(torch.nn.Module):
    def forward(self, x):
        return double(x)
def refuse(*args, **kwargs):
    raise ValueError("no room here")
torch.export.save = refuse
model, example_args = Wrapped(), (torch.ones(2),)
"""
    run = run_capture(code, stages=("export",))
    stage = run.stage("export")
    assert stage.status == "done" and programs(run) == {}
    assert stage.notes == ("export.0 can not be had as a .pt2 file: torch.export.save: ValueError: no room here",)


def test_what_is_saved_is_what_torch_saves() -> None:
    def graphs() -> list[tuple[str, str]]:
        model, args = made()
        program = torch.export.export(model, args)
        found = []
        for each in (program, program.run_decompositions()):
            raw = io.BytesIO()
            torch.export.save(each, raw)
            raw.seek(0)
            bare = torch.export.load(io.BytesIO(program_bytes(each)))
            found.append((str(bare.graph), str(torch.export.load(raw).graph)))
        return found

    for bare, raw in in_fork(graphs):
        assert bare == raw


BATCHED = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(20, 5)
        self.norm = torch.nn.BatchNorm1d(5)
    def forward(self, x):
        return self.norm(self.first(x)) + torch.arange(5) + torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
"""


@pytest.fixture(scope="module")
def own() -> bytes:
    """A program of graphcap's own making, with a dynamic dimension; neither weights nor example inputs are in it."""
    return programs(run_capture(BATCHED, stages=("export",), inputs="x: f32[batch=3, 20]"))["export.0"]


def test_a_program_of_our_own_goes_through_all_stages(own: bytes) -> None:
    run = run_capture(own, "net.pt2")
    assert set(run.statuses().values()) == {"done"}
    rule = run.found.targets[0].rule
    assert "no example inputs: drawn ones of the shapes it was exported with" in rule and "no values" in rule
    x = next(node for node in run.stage("dynamo").graphs[0].nodes if node.placeholder and node.placeholder.kind == "input")
    assert isinstance(x.value, TensorMeta) and x.value.shape == (3, 20) and x.value.device == "meta"


def test_the_inputs_of_the_form_are_a_programs_inputs(own: bytes) -> None:
    run = run_capture(own, "net.pt2", inputs="x: f32[7, 20]", second_inputs="x: f32[9, 20]", stages=("eager",))
    assert run.statuses() == {"eager": "done"}
    assert run.found.targets[0].rule.startswith("the ExportedProgram in net.pt2; with the inputs given")
    x = next(node for node in run.stage("eager").graphs[0].nodes if node.name == "x")
    assert isinstance(x.value, TensorMeta) and x.value.shape == (7, 20)


def test_a_dynamic_program_has_its_symbols(own: bytes) -> None:
    run = run_capture(own, "net.pt2", stages=("export", "eager"))
    (symbol,) = run.stage("export").symbols
    assert (symbol.sources, symbol.example) == (("L['x'].size()[0]",), "3")
    assert (symbol.lower, symbol.upper) == ("0", "int_oo")
    x = next(node for node in run.stage("export").graphs[0].nodes if node.name == "x")
    assert isinstance(x.value, TensorMeta) and x.value.shape == (symbol.name, 20)
    (note,) = [note for note in run.stage("eager").notes if "dynamic" in note]
    assert note == STATIC
    assert STATIC not in run.stage("export").notes


def test_inputs_that_a_program_does_not_take_leave_its_own_graphs(own: bytes) -> None:
    run = run_capture(own, "net.pt2", inputs="x: f32[3, 21]", construct="Net()", mode="eval")
    statuses = run.statuses()
    assert [stage for stage, status in statuses.items() if status == "done"] == ["export", "core_aten"]
    reason = run.stage("dynamo").reason
    assert "to be equal to 20, but got 21" in reason and "It was exported for these: x: f32[s" in reason
    assert "`construct` is not used" in run.found.targets[0].rule and "the mode eval is not set" in run.found.targets[0].rule


class Nested(nn.Module):
    """Called with a list and a dict of tensors, a number and a keyword."""

    def forward(
        self, pair: list[torch.Tensor], named: dict[str, torch.Tensor], flag: bool = True, *, extra: torch.Tensor
    ) -> torch.Tensor:
        return pair[0] + named["p"] + (extra if flag else 0)


def test_a_program_takes_nested_inputs_as_it_was_exported_for_them() -> None:
    def work() -> tuple[tuple[object, ...], str, str]:
        args = ([torch.randn(3)], {"p": torch.ones(3)})
        program = torch.export.export(Nested(), args, {"extra": torch.ones(3, dtype=torch.int64)})
        loaded = torch.export.load(io.BytesIO(program_bytes(program)))
        found = called(loaded)
        pair, named = found.args
        (given, _) = called(loaded, "pair: [f32[3]], named: {'p': f32[3]}, extra: i64[3]").args
        refused = called(loaded, "pair: [f32[4]], named: {'p': f32[3]}, extra: i64[3]").missing
        return (type(pair), list(named), found.kwargs["extra"].dtype, tuple(given[0].shape)), found.missing, refused

    taken, missing, refused = in_fork(work)
    assert (taken, missing) == ((list, ["p"], torch.int64, (3,)), "")
    assert "It was exported for these: pair: [f32[3]], named: {'p': f32[3]}, extra: i64[3]" in refused


def test_option_meta_puts_a_program_on_the_meta_device() -> None:
    def work() -> tuple[set[str], set[str]]:
        model, args = made()
        found = called(torch.export.export(model, args), meta=True)
        core = found.program.run_decompositions()
        devices = {
            node.meta["val"].device.type for node in core.graph.nodes if isinstance(node.meta.get("val"), torch.Tensor)
        }
        return {tensor.device.type for tensor in found.args}, devices

    assert in_fork(work) == ({"meta"}, {"meta"})


def test_code_and_weights_beside_a_program_are_told_to_be_unused(own: bytes, tmp_path: Path) -> None:
    (tmp_path / "net.pt2").write_bytes(own)
    for name in ("weights.safetensors", "net.py", "notes.md"):
        (tmp_path / name).write_bytes(b"")

    def work() -> str:
        found = load_submission(tmp_path / "net.pt2", "pt2", Options(), submitted_files(tmp_path))
        return found.candidates[0].rule

    assert in_fork(work).endswith("; not used, as a program is whole: net.py, weights.safetensors")
