"""The export route: where torch.export refuses, all that torch says; where it does not, the program it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from capture_forks import in_fork

from graphcap.capture.record import Recorder
from graphcap.capture.stages.export import run_export
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.check import check_stage
from graphcap.graph.codec import decode, encode
from graphcap.graph.document import Options, Stage


class Kept:
    def __init__(self) -> None:
        self.stages: list[Stage] = []

    def started(self, stage: str) -> None:
        pass

    def ended(self, stage: Stage) -> None:
        self.stages.append(stage)


def export(make: Callable[[], Loaded]) -> dict[str, Stage]:
    def work() -> list[bytes]:
        kept, target = Kept(), make()
        run_export(target, Options(), Recorder({__file__: "mine.py"}, target.model), kept)
        return [encode(stage) for stage in kept.stages]

    stages = [decode(data, Stage) for data in in_fork(work)]
    for stage in stages:
        check_stage(stage, make().id)
    return {stage.id: stage for stage in stages}


class DataDependent(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if x.max() > 1 else x


class Steps(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = torch.nn.Linear(4, 2)

    def training_step(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x).sum() * 2


class Trainer:
    def __init__(self) -> None:
        self.net, self.scale = torch.nn.Linear(4, 2), 2

    def step(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x).sum() * self.scale


def test_a_method_that_was_compiled_in_its_class_is_exported_with_the_parameters_of_its_object() -> None:
    for method, owner in ((Steps.training_step, Steps), (Trainer.step, Trainer)):
        stage = export(lambda m=method, o=owner: Loaded("t1", "step", m, (o(), torch.ones(3, 4))))["export"]  # type: ignore[misc]
        (graph,) = stage.graphs
        kinds = [(node.placeholder.kind, node.placeholder.name) for node in graph.nodes if node.placeholder]
        assert kinds == [("parameter", "net.weight"), ("parameter", "net.bias"), ("input", "x")]
        assert [node.target for node in graph.nodes if node.op == "call_function"][-1] == "aten.mul.Tensor"


def first_line(work: Callable[[], Any]) -> str:
    """The first line of what raw torch says."""

    def attempt() -> str:
        try:
            work()
        except Exception as error:
            return f"{type(error).__name__}: {error}".splitlines()[0]
        return ""

    return in_fork(attempt)


def test_a_refusal_lists_every_kind_of_export_with_the_persons_line() -> None:
    stages = export(lambda: Loaded("t1", "M", DataDependent(), (torch.ones(3),)))
    failures = {failure.how: failure for failure in stages["export"].failures}
    assert list(failures) == ["non-strict", "strict", "draft"]
    for strict, how in ((False, "non-strict"), (True, "strict")):
        said = first_line(lambda strict=strict: torch.export.export(DataDependent(), (torch.ones(3),), strict=strict))
        assert f"{failures[how].type}: {failures[how].message}".splitlines()[0] == said
    assert failures["draft"].type == "DATA_DEPENDENT_ERROR" and "Eq(u0, 1)" in failures["draft"].message
    assert {f.frame and f.frame.code for f in failures.values()} == {"return x * 2 if x.max() > 1 else x"}
    assert "Use `torch.cond` to express dynamic control flow." in failures["strict"].hints


def test_a_refusal_keeps_the_graphs_that_other_kinds_of_export_make() -> None:
    stages = export(lambda: Loaded("t1", "M", DataDependent(), (torch.ones(3),)))
    assert stages["export"].status == "failed"
    assert [(g.id, g.title) for g in stages["export"].graphs] == [("export.0.draft", "M (draft export)")]
    assert stages["core_aten"].status == "skipped" and "refused" in stages["core_aten"].reason


def test_torchs_suggested_fix_is_a_hint() -> None:
    shapes = ({0: torch.export.Dim("batch", max=16)},)
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(12, 3))
    stages = export(lambda: Loaded("t1", "M", model, (torch.ones(1, 3, 4),), dynamic_shapes=shapes))
    failure = stages["export"].failures[0]
    assert failure.type == "UserError" and failure.message.startswith("Constraints violated (batch)!")
    assert "Suggested fixes:\nbatch = 1" in failure.hints


def test_a_script_that_asks_for_strict_export_gets_it_first() -> None:
    stages = export(lambda: Loaded("t1", "M", DataDependent(), (torch.ones(3),), export_kwargs={"strict": True}))
    assert [failure.how for failure in stages["export"].failures] == ["strict", "non-strict", "draft"]


def test_a_function_is_exported_as_a_module_of_its_name() -> None:
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    stages = export(lambda: Loaded("t2", "double", double, (torch.ones(3),)))
    (graph,) = stages["export"].graphs
    assert graph.id == "t2.export.0"
    assert [(m.path, m.cls) for m in graph.modules[0]] == [("", "double")]


def test_operators_outside_core_aten_lack_its_tag() -> None:
    class Norm(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.linalg.vector_norm(x).sin()

    stages = export(lambda: Loaded("t1", "M", Norm(), (torch.ones(3),)))
    tags = {n.target: "core" in n.tags for n in stages["core_aten"].graphs[0].nodes if n.op == "call_function"}
    assert tags == {"aten.linalg_vector_norm.default": False, "aten.sin.default": True}
