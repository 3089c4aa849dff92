"""Programs as files: what `torch.export.load` makes of them, held against the program itself."""

from __future__ import annotations

import io

import pytest
import torch
from capture_forks import in_fork
from capture_runs import Run, run_capture
from torch import nn

from graphcap.capture.saving.program import program_bytes
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
