"""Scripts that export and compile nothing: what they call is a target, with what they call it with."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from graphcap.capture.find.code.importing import submitted_files
from graphcap.capture.find.submission import load_submission
from graphcap.graph.document import Options
from tests.capture.capture_forks import in_fork

NET = """\
import re, torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(4, 2))
    def forward(self, x, scale=1.0):
        return self.fc(x) * scale
"""
LOOP = """\
def main():
    net, loss = Net(), nn.MSELoss()
    for n in (3, 5):
        loss(net(torch.ones(n, 4), scale=2.0), torch.ones(n, 2)).backward()
    net.eval()
    net(torch.ones(1, 4))
if __name__ == "__main__":
    main()
"""
GAN = """\
g, d = nn.Linear(4, 3), nn.Linear(3, 1)
d(g(torch.ones(2, 4))).sum().backward()
"""
VMAP = "net = Net()\ntorch.vmap(net)(torch.ones(2, 3, 4))\nnet(torch.ones(5, 4))\n"
OWN_COMPILE = "net = Net()\nnet(torch.ones(2, 4))\ngetattr(torch, 'comp' + 'ile')(net, backend='eager')(torch.ones(3, 4))\n"


def run(folder: Path, code: str, **options: str) -> tuple[list[tuple[str, list[list[int]], list[str]]], list[str]]:
    """Of each target its rule, the shapes of what it is called with by place, and the names of the rest; and failures."""
    path = folder / "script.py"
    path.write_text(NET + code)

    def work() -> tuple[list[tuple[str, list[list[int]], list[str]]], list[str]]:
        found = load_submission(path, "py", Options(**options), submitted_files(folder))
        assert not torch.nn.modules.module._has_any_global_hook(), "nothing of it is left behind"
        made = []
        for each in found.candidates:
            args, kwargs = each.loaded.args, each.loaded.kwargs
            assert all(arg.is_leaf for arg in args) and each.loaded.model(*args, **kwargs) is not None
            made.append((each.rule, [list(arg.shape) for arg in args], [*kwargs]))
        return made, [f"{failure.type}: {failure.message}" for failure in found.failures]

    made: tuple[list[tuple[str, list[list[int]], list[str]]], list[str]] = in_fork(work)
    return made


def test_a_training_loop_is_captured_with_the_inputs_of_its_first_call(tmp_path: Path) -> None:
    made, failures = run(tmp_path, LOOP)
    assert (made, failures) == ([("the script's own call of Net, line 12", [[3, 4]], ["scale"])], [])


@pytest.mark.parametrize(
    ("code", "shapes"),
    [
        (GAN, [[[2, 4]], [[2, 3]]]),
        (VMAP, [[[5, 4]]]),
        ("net = Net()\nnet(torch.ones(2, 4))\nimport no_such_package\n", [[[2, 4]]]),
        (OWN_COMPILE, [[[3, 4]]]),
        ("net = Net()\nmodel = net\nnet(torch.ones(2, 4))\nexample_args = (torch.ones(7, 4),)\n", [[[7, 4]]]),
    ],
)
def test_each_module_that_no_other_calls_is_a_target(tmp_path: Path, code: str, shapes: list[list[list[int]]]) -> None:
    made, failures = run(tmp_path, code)
    assert ([each[1] for each in made], failures) == (shapes, [])


def test_inputs_of_the_form_go_before_those_of_the_script(tmp_path: Path) -> None:
    made, _ = run(tmp_path, "net = Net()\nnet(torch.ones(2, 4))\n", inputs="x: f32[6, 4]")
    assert made == [("the nn.Module in the variable `net`, with the inputs given", [[6, 4]], [])]


def test_a_call_that_fails_is_the_failure(tmp_path: Path) -> None:
    made, (failure,) = run(tmp_path, "net = Net()\nnet(torch.ones(2, 5))\n")
    assert not made and failure.startswith("RuntimeError: mat1 and mat2")


def test_a_script_stops_though_inputs_of_the_form_fit_nothing(tmp_path: Path) -> None:
    made, (failure,) = run(tmp_path, "(lambda: Net()(torch.ones(2, 4)))()\ndel Net\n1 / 0\n", inputs="x: f32[6, 4]")
    assert not made and failure == "ZeroDivisionError: division by zero"
