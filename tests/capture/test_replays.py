"""What every stage's graphs give when they are run, and what is said where they give something else or are not run."""

from __future__ import annotations

import pytest
from capture_runs import Run, run_capture

from graphcap.graph.document import Replay, Stage
from graphcap.graph.stream import Added, Ended

pytestmark = pytest.mark.torch

HEAD = """\
import os, signal, torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
{0}
model = Net()
example_args = (torch.randn(2, 4),)
"""
STAGES = ("eager", "dynamo", "export", "core_aten", "joint", "forward", "backward")


def net(*lines: str) -> str:
    return HEAD.format("\n".join(f"        {line}" for line in lines))


def replays(run: Run) -> dict[str, Replay]:
    """Of every graph that is no body, by GID."""
    stages: list[Stage] = [run.stage(stage) for stage in STAGES if stage in run.statuses()]
    return {g.id: g.replay for stage in stages for g in stage.graphs if not g.parent and g.replay is not None}


def test_every_graph_of_a_plain_model_gives_what_eager_gives() -> None:
    run = run_capture(net("return self.lin(x).relu().sum(), x * 2"))
    found = replays(run)
    besides = {"forward.0.default", "backward.0.default"}
    assert set(found) == {f"{stage}.0" for stage in STAGES} | besides
    assert {(each.status, each.close) for each in found.values()} == {("compared", True)}
    assert found["eager.0"].outputs == found["export.0"].outputs == 2
    assert [found[f"{stage}.0"].gradients for stage in STAGES] == [2, 2, 0, 0, 2, 0, 2]


def test_a_reason_names_the_submitted_file_as_it_was_submitted() -> None:
    run = run_capture(
        net(
            "self.calls = getattr(self, 'calls', 0) + 1",
            "os.environ['CALLS'] = str(int(os.environ.get('CALLS', 0)) + 1)",
            "if int(os.environ['CALLS']) > 1: raise OSError(__file__)",
            "return self.lin(x)",
        ),
        stages=("eager",),
    )
    (reason,) = {each.reason for each in replays(run).values()}
    assert reason.endswith("OSError: model.py")


def test_everything_is_run_after_the_last_stage() -> None:
    run = run_capture(net("return self.lin(x).sum()"))
    kinds = [type(message) for message in run.messages if isinstance(message, Ended | Added)]
    assert kinds == sorted(kinds, key=lambda kind: kind is Added)
    assert kinds.count(Ended) == len(STAGES)


def test_a_graph_that_gives_something_else_is_told_with_the_difference() -> None:
    run = run_capture(net("y = self.lin(x)", "return y * 3 if torch.compiler.is_compiling() else y"))
    found = replays(run)
    assert found["eager.0"].close
    for gid in ("dynamo.0", "export.0", "core_aten.0"):
        assert (found[gid].status, found[gid].close) == ("compared", False)
        assert found[gid].max_rel == pytest.approx(2.0)
    assert found["dynamo.0"].worst.startswith(("output 0", "gradient of"))
    assert found["joint.0"].close and "Dynamo" in found["joint.0"].reason  # it is what Dynamo's graph says


def test_random_numbers_are_drawn_alike_or_it_is_said() -> None:
    found = replays(run_capture(net("return self.drop(self.lin(x)).sum()")))
    for gid, each in found.items():
        assert each.close or "random ops" in each.reason, (gid, each)
    assert found["eager.0"].close and found["dynamo.0"].close


def test_state_outside_of_the_model_is_no_difference_of_the_graph() -> None:
    code = "import itertools\ncount = itertools.count()\n" + net("return self.lin(x) + next(count)")
    for gid, each in replays(run_capture(code, stages=("eager",))).items():
        assert (each.status, each.reason) == ("not-compared", "eager PyTorch itself does not give the same values twice"), (
            gid
        )


def test_on_the_meta_device_nothing_is_compared() -> None:
    found = replays(run_capture(net("return self.lin(x).sum()"), meta=True))
    assert {each.status for each in found.values()} == {"not-compared"}
    assert all("meta device" in each.reason for each in found.values())


def test_a_large_model_is_not_run_again() -> None:
    code = "import torch\nmodel = torch.nn.Embedding(150_000, 1_000)\nexample_args = (torch.arange(3),)\n"
    found = replays(run_capture(code, stages=("export",)))
    assert found["export.0"].reason == "the model's tensors take 572 MiB, more than the 512 MiB that are run again"


def test_what_is_printed_again_is_not_shown() -> None:
    run = run_capture(net("os.write(1, b'said')", "print('once')", "return self.lin(x).sum()"), stages=("eager",))
    assert run.log.count("once") == run.log.count("said") == 1
    assert replays(run)["eager.0"].close


@pytest.mark.parametrize(
    ("again", "says"),
    [
        ("os.abort()", "SIGABRT while running its graphs"),
        ("os._exit(3)", "exit code 3 while running its graphs"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL while running its graphs"),
    ],
)
def test_a_run_that_kills_its_process_leaves_the_stage_and_a_note(again: str, says: str) -> None:
    code = "calls = []\n" + net("calls.append(1)", f"{again} if len(calls) > 1 else None", "return self.lin(x).sum()")
    run = run_capture(code, stages=("eager",))
    stage = run.stage("eager")
    assert (stage.status, run.code) == ("done", 0)
    assert any(says in note for note in stage.notes), stage.notes


def test_a_run_that_never_ends_is_stopped() -> None:
    code = "import time\ncalls = []\n" + net(
        "calls.append(1)", "time.sleep(600) if len(calls) > 1 else None", "return self.lin(x)"
    )
    stage = run_capture(code, stages=("eager",), seconds=4.0).stage("eager")
    assert stage.status == "done"
    assert any("stopped after 4 s while running its graphs" in note for note in stage.notes), stage.notes


def test_a_run_that_takes_long_is_given_up() -> None:
    busy = "while len(calls) > 1: sum(range(1000))"
    code = "from graphcap.capture.replay import budget\ncalls = []\n" + net("calls.append(1)", busy, "return self.lin(x)")
    code = code.replace("calls = []", "calls = []\nbudget.limited.__wrapped__.__defaults__ = (0.5,)")
    found = replays(run_capture(code, stages=("eager",)))
    assert found["eager.0"].status == "not-compared"
    assert "of processor time" in found["eager.0"].reason


def test_an_exception_of_the_second_run_is_the_reason() -> None:
    code = "calls = []\n" + net("calls.append(1)", "if len(calls) > 1: raise OSError('only once')", "return self.lin(x)")
    found = replays(run_capture(code, stages=("eager",)))
    assert found["eager.0"].reason == "eager PyTorch itself fails: OSError: only once"


def test_many_targets_all_come_to_their_end() -> None:
    lines = ["import torch", "model = torch.nn.Linear(3, 3)", "x = torch.ones(1, 3)"]
    code = "\n".join([*lines, *[f"torch.export.export(model, (x * {i},))" for i in range(4)]])
    run = run_capture(code, stages=("eager", "dynamo", "export"))
    for target in run.found.targets:
        for stage in ("eager", "dynamo", "export"):
            (graph,) = run.stage(stage, target.id).graphs
            assert graph.replay is not None and graph.replay.close


def test_a_model_that_goes_backward_itself_is_not_gone_back_from_again() -> None:
    run = run_capture(net("loss = self.lin(x).square().sum()", "loss.backward()", "return loss"), stages=("eager", "dynamo"))
    found = replays(run)
    assert {gid: each.status for gid, each in found.items()} == dict.fromkeys(found, "compared"), found
    assert found["dynamo.0"].close and found["dynamo.0"].gradients == 2


def test_a_script_whose_step_goes_backward_is_not_said_to_fail() -> None:
    code = """\
import torch
model = torch.nn.Linear(4, 1)
@torch.compile
def step(x):
    loss = model(x).sum()
    loss.backward()
    return loss
step(torch.randn(2, 4))
"""
    (reason,) = {each.reason for each in replays(run_capture(code, stages=("eager", "dynamo"))).values()}
    assert reason.startswith("the code goes backward itself")
