"""Scripts captured whole: every kind of call is a target, with the graphs that torch itself makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from tests.capture.capture_runs import Run, run_capture
from tests.truth.sources import SCRIPT

NET = """\
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 4)
    def forward(self, x):
        return torch.relu(self.l(x)).sum()
"""
CALLS = """\
from torch.fx.experimental.proxy_tensor import make_fx
from functorch.compile import aot_function, aot_module
def wave(x):
    return (x.sin() * 2).sum()
def as_is(gm, inputs):
    seen.append(gm)
    return gm
seen = []
x = torch.randn(3, requires_grad=True)
torch.export.draft_export(Net(), (torch.randn(2, 4),))
aot_function(wave, as_is)(x).backward()
aot_module(Net(), as_is)(torch.randn(2, 4)).backward()
make_fx(wave)(torch.randn(3))
torch.fx.symbolic_trace(Net())
def main():
    other = torch.compile(Net(), backend="aot_eager")
    other(torch.randn(2, 4))
    other(torch.randn(3, 4))
    other(torch.randn(3, 4))
    print("graphs", len(seen))
if __name__ == "__main__":
    main()
"""


@pytest.fixture(scope="module")
def run() -> Run:
    return run_capture(NET + CALLS, stages=("dynamo", "export", "joint", "forward", "backward"))


def test_each_call_is_a_target_named_after_its_line(run: Run) -> None:
    found = [(t.id, t.frame and t.frame.line, t.rule.split(",")[0].rsplit(" ", 1)[1]) for t in run.found.targets]
    assert found == [
        ("t1", 17, "torch.export.draft_export"),
        ("t2", 18, "aot_function"),
        ("t3", 19, "aot_module"),
        ("t4", 20, "make_fx"),
        ("t5", 21, "symbolic_trace"),
        ("t6", 24, "torch.compile"),
    ]
    assert [t.title for t in run.found.targets][:2] == ["Net (line 17)", "wave (line 18)"]
    assert "with the backend aot_eager; the script calls it again with inputs of another form" in run.found.targets[5].rule
    assert "graphs 4" in run.log  # the script's own compilers had their graphs, and its main part ran


def test_a_target_has_the_stages_that_fit_its_call(run: Run) -> None:
    assert [set(run.statuses(f"t{i}")) for i in range(2, 6)] == [
        {"joint", "forward", "backward"},
        {"joint", "forward", "backward"},
        {"traced"},
        {"traced"},
    ]
    assert all(status == "done" for i in range(1, 7) for status in run.statuses(f"t{i}").values())


def test_make_fx_and_symbolic_trace_give_the_graphs_that_torch_gives(run: Run) -> None:
    names: dict[str, object] = {}
    exec(NET, names)
    net = names["Net"]
    assert callable(net)
    traced = make_fx(lambda x: (x.sin() * 2).sum())(torch.randn(3))
    (graph,) = run.stage("traced", "t4").graphs
    assert graph.id == "t4.traced.0" and graph.title == "wave (line 20) (make_fx)"
    assert graph.text == str(traced.graph)
    assert [graph.frames[graph.stacks[node.stack][-1]].line for node in graph.nodes[1:-1]] == [11, 11, 11]
    (graph,) = run.stage("traced", "t5").graphs
    assert graph.text == str(torch.fx.symbolic_trace(net()).graph)


def test_aot_module_is_cut_as_the_script_says_with_parameters_by_their_names(run: Run) -> None:
    joint, forward, backward = (run.stage(stage, "t3") for stage in ("joint", "forward", "backward"))
    placeholders = [node.placeholder for node in joint.graphs[0].nodes if node.placeholder is not None]
    assert [(p.kind, p.name) for p in placeholders[:3]] == [
        ("parameter", "l.weight"),
        ("parameter", "l.bias"),
        ("input", "x"),
    ]
    assert [graph.variant for graph in forward.graphs] == ["", "min_cut"]
    assert [(o.kind, o.name) for o in backward.graphs[0].nodes[-1].returns][:2] == [
        ("gradient", "l.weight"),
        ("gradient", "l.bias"),
    ]
    assert "no Dynamo before it, cut by the default partitioner" in forward.notes[0]


def test_a_later_call_of_another_shape_is_compiled_anew(run: Run) -> None:
    stage = run.stage("dynamo", "t6")
    assert [(each.fragment, each.recompile) for each in stage.recompiles] == [(0, 1)]
    assert "expected 2, actual 3" in stage.recompiles[0].reason
    assert "called again by the script with f32[3, 4], torch compiled one fragment anew" in stage.notes
    assert stage.graphs[-1].id == "t6.dynamo.0.r1" and stage.graphs[-1].title.endswith("(compiled anew for a later call)")


def test_a_training_step_is_captured_forward_and_backward() -> None:
    code = """\
def main():
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    @torch.compile
    def step(x):
        loss = model(x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach()
    while True:
        step(torch.randn(2, 4))
if __name__ == "__main__":
    from graphcap.capture.find.watching import calls
    calls.IDLE_SECONDS = 1
    main()
"""
    run = run_capture(NET + code, stages=("eager", "dynamo", "joint", "forward", "backward"))
    (target,) = run.found.targets
    assert target.title == "step" and "StillRunning: it ran on for 1 s without a new call" in target.rule
    assert set(run.statuses().values()) == {"done"}
    assert run.stage("backward").graphs
    eager = run.stage("eager")
    assert "the code runs a backward itself, so no other follows" in eager.notes
    assert any(node.origin and node.origin.autograd_backward for node in eager.graphs[0].nodes)


def test_a_loop_ends_though_the_first_end_was_lost() -> None:
    code = """\
step = torch.compile(Net())
lost = []
from graphcap.capture.find.watching import calls
calls.IDLE_SECONDS = 1
while True:
    try:
        step(torch.randn(2, 4))
    except BaseException as error:
        if lost:
            raise
        lost.append(error)
"""
    run = run_capture(NET + code, stages=("dynamo",))
    (target,) = run.found.targets
    assert "StillRunning" in target.rule and run.statuses() == {"dynamo": "done"}


def test_the_training_step_of_the_gallery_is_its_loss_and_its_update() -> None:
    example = Path(__file__).parents[2] / "graphcap" / "web" / "examples" / f"{SCRIPT}.py"
    run = run_capture(example.read_text(encoding="utf-8"), stages=("dynamo", "joint", "forward", "backward"))
    assert [target.title.split(" ")[0] for target in run.found.targets] == ["loss_of", "update"]
    assert all(run.stage(stage, "t1").status == "done" for stage in ("dynamo", "joint", "forward", "backward"))
    assert (run.stage("forward", "t2").status, run.stage("backward", "t2").status) == ("done", "skipped")
