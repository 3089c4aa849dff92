"""Stages `joint`, `forward` and `backward` against plain AOTAutograd."""

from __future__ import annotations

from typing import Any

import compile_models as models
import pytest
import torch
from compile_forks import aot, dynamo, inputs, names, outputs, own, raw_aot
from compile_models import X, line_of, target
from torch._decomp import core_aten_decompositions
from torch._functorch.partitioners import default_partition, min_cut_rematerialization_partition

from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Stage

pytestmark = pytest.mark.torch


def named() -> Loaded:
    return target(models.Named(), X, {"a": [X.clone()]})


def chain() -> Loaded:
    return target(models.Chain(), X)


def targets(stage: Stage) -> list[list[str]]:
    """Targets as Python prints them, graph by graph."""
    return [[node.target for node in graph.nodes] for graph in own(stage)]


def assert_same(stages: dict[str, Stage], theirs: dict[str, list[list[str]]]) -> None:
    """Same nodes in the same order. Functions of Python print their address in raw torch, so only their place counts."""
    for stage in ("joint", "forward", "backward"):
        ours = targets(stages[stage])
        assert [len(graph) for graph in ours] == [len(graph) for graph in theirs[stage]]
        for mine, raw in zip(ours, theirs[stage], strict=True):
            assert [name for name in mine if name.startswith("aten.")] == [name for name in raw if name.startswith("aten.")]


@pytest.mark.parametrize("make", [named, chain, lambda: target(models.Checkpointed(), X), lambda: target(models.Tied(), X)])
def test_graphs_are_those_of_torch(make: Any) -> None:
    stages = aot(make)
    assert [stage.status for stage in stages.values()] == ["done"] * 3
    assert_same(stages, raw_aot(make, min_cut_rematerialization_partition))


def test_joint_names_gradients_and_mutations_after_the_model() -> None:
    (joint,) = aot(named)["joint"].graphs
    kinds = {name: (kind, bool(node)) for kind, name, node in outputs(joint) if name}
    assert kinds["body.0.weight"] == ("gradient", True)
    assert kinds["x"] == ("gradient", False)  # the input needs none: None stands in its place
    mutated = [(kind, name) for kind, name, _ in outputs(joint) if kind.endswith("mutation")]
    assert ("buffer_mutation", "seen") in mutated
    assert ("buffer_mutation", "body.1.running_mean") in mutated
    assert ("parameter", "body.0.weight") in inputs(joint).values()
    assert ("tangent", "output 0") in inputs(joint).values()
    weight = next(node.placeholder for node in joint.nodes if node.placeholder and node.placeholder.name == "body.0.weight")
    assert weight is not None
    assert weight.desc.startswith("PlainAOTInput(idx=")
    assert weight.desc.endswith(", L['self']._modules['body']._modules['0']._parameters['weight']")


def test_a_mutated_input_is_not_a_buffer() -> None:
    def mutates(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        x.mul_(2)
        return x * w

    (joint,) = aot(lambda: target(mutates, X.clone(), torch.ones(3, requires_grad=True)))["joint"].graphs
    assert outputs(joint)[0][:2] == ("input_mutation", "x")


@pytest.mark.parametrize("make", [named, chain])
def test_what_the_forward_saves_is_what_the_backward_takes(make: Any) -> None:
    stages = aot(make)
    (forward,), (backward,) = own(stages["forward"]), own(stages["backward"])
    saved = [(name, node) for kind, name, node in outputs(forward) if kind == "saved"]
    taken = [(name, node) for node, (kind, name) in inputs(backward).items() if kind == "saved"]
    assert saved
    assert sorted(saved) == sorted(taken)
    assert {kind for kind, _ in inputs(backward).values()} == {"saved", "tangent"}


def test_the_partitioners_save_different_tensors() -> None:
    saved = {}
    for partitioner, own_one in (("min_cut", min_cut_rematerialization_partition), ("default", default_partition)):
        stages = aot(chain, partitioner=partitioner)
        assert_same(stages, raw_aot(chain, own_one))
        saved[partitioner] = {name for kind, name, _ in outputs(stages["forward"].graphs[0]) if kind == "saved"}
    assert saved["min_cut"] != saved["default"]


def test_recomputed_nodes_are_calls_of_both_halves_with_torchs_tag() -> None:
    stages = aot(lambda: target(models.Checkpointed(), X))
    (forward,), (backward,) = own(stages["forward"]), own(stages["backward"])
    again = {node.name for node in backward.nodes if node.op == "call_function"} & set(names(forward))
    assert again
    tags = {node.origin.recompute for node in backward.nodes if node.name in again and node.origin}
    assert tags == {"PREFER_RECOMPUTE"}


def test_core_aten_decompositions_are_torchs_own() -> None:
    def normed() -> Loaded:
        return target(models.Normed(), X)

    plain, core = aot(normed), aot(normed, decompositions="core_aten")
    assert_same(plain, raw_aot(normed, min_cut_rematerialization_partition))
    assert_same(core, raw_aot(normed, min_cut_rematerialization_partition, core_aten_decompositions()))
    assert "aten.t.default" in targets(plain["joint"])[0]
    assert "aten.t.default" not in targets(core["joint"])[0]


def test_module_and_line_reach_the_backward() -> None:
    (backward,) = own(aot(chain)["backward"])
    calls = [node for node in backward.nodes if node.target == "aten.mm.default"]
    assert calls
    for node in calls:
        assert backward.modules[node.module][-1].path.startswith("layers.")
        assert backward.frames[backward.stacks[node.stack][-1]].file == "models.py"
        assert node.origin is not None
        assert node.origin.autograd_backward


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: target(torch.sin, X), "nothing requires grad, so there is no backward"),
        (lambda: target(models.NoGrad(), X), "no output requires grad, so there is no backward"),
    ],
)
def test_without_a_backward_the_stages_say_why(make: Any, reason: str) -> None:
    stages = aot(make)
    for stage in ("joint", "backward"):
        assert (stages[stage].status, stages[stage].reason) == ("skipped", reason)
    (forward,) = stages["forward"].graphs
    assert forward.inference
    assert (forward.id, forward.title) == ("forward.0", "target (inference)")


def test_fragments_keep_their_number_where_some_have_no_backward() -> None:
    stages = aot(lambda: target(models.HalfGrad(), X))
    assert [graph.id for graph in own(stages["forward"])] == ["forward.0", "forward.1"]
    assert [graph.inference for graph in own(stages["forward"])] == [True, False]
    for stage in ("joint", "backward"):
        assert [graph.id for graph in own(stages[stage])] == [f"{stage}.1"]
        assert stages[stage].status == "done"
        assert stages[stage].notes == ("nothing requires grad in fragment 1, so there is no backward",)


def test_where_dynamo_captures_nothing_all_three_are_skipped_with_the_reason() -> None:
    for stage in aot(lambda: target(models.Recurrent(), X[:, None])).values():
        assert stage.status == "skipped"
        assert "Dynamo does not support RNN, GRU, or LSTM" in stage.reason


def loop() -> Loaded:
    return target(models.LoopAfterLinear(), torch.tensor(2), X)


def test_a_fragment_that_fails_leaves_the_others_and_their_numbers() -> None:
    assert len(own(dynamo(loop))) == 3
    for id_, stage in aot(loop).items():
        assert stage.status == "failed"
        assert [graph.id for graph in own(stage)] == [f"{id_}.0", f"{id_}.2"]
        (failure,) = stage.failures
        assert (failure.type, failure.message) == ("DataDependentOutputException", "aten._local_scalar_dense.default")
        assert failure.how == "AOTAutograd, fragment 2 of 3"
        assert failure.frame is not None
        assert (failure.frame.file, failure.frame.line) == ("models.py", line_of("fails: while"))


def test_graphs_that_cannot_run_are_kept_and_the_failure_is_said() -> None:
    stages = aot(lambda: target(models.Transposed(), torch.ones(2, 5, 8)))
    assert [stage.status for stage in stages.values()] == ["done"] * 3
    assert stages["joint"].failures == stages["backward"].failures == ()
    (failure,) = stages["forward"].failures
    assert failure.message.startswith("view size is not compatible with input tensor's size and stride")
    assert failure.how.startswith("running the captured graph of fragment 1")
    assert failure.frame is not None
    assert failure.frame.line == line_of("fails: view")


def test_joint_and_backward_end_before_the_graph_runs() -> None:
    stages = aot(lambda: target(models.BrokenKernel(), X))
    assert list(stages) == ["joint", "backward", "forward"]
    assert [stage.status for stage in stages.values()] == ["done", "done", "failed"]
    (failure,) = stages["forward"].failures
    assert "this kernel never works" in failure.message
    assert stages["forward"].graphs


def test_bodies_of_higher_order_ops_are_graphs_of_their_own() -> None:
    stages = aot(lambda: target(models.Choice(), X))
    for stage in stages.values():
        (whole,) = own(stage)
        bodies = [graph for graph in stage.graphs if graph.parent and not graph.variant]
        assert bodies
        assert {graph.parent for graph in bodies} == {whole.id}
        assert {gid for node in whole.nodes for gid in node.bodies} == {graph.id for graph in bodies}


def test_symbolic_sizes_are_inputs_and_are_saved() -> None:
    stages = aot(lambda: target(models.Sized(), X, compile_kwargs={"dynamic": True}))
    assert ("symint", "x.size()[0]") in inputs(stages["joint"].graphs[0]).values()
    assert ("symint", "x.size()[0]") in inputs(stages["backward"].graphs[0]).values()


def test_parts_of_tensor_subclasses_are_named_after_the_input() -> None:
    from torch.testing._internal.two_tensor import TwoTensor

    def subclass() -> Loaded:
        weight = torch.ones(3, requires_grad=True)
        return target(lambda x, w: x.sin() * w, TwoTensor(X.clone(), X.clone()), weight)

    stages = aot(subclass)
    assert {("input", "x.a"), ("input", "x.b")} <= set(inputs(stages["joint"].graphs[0]).values())


def test_the_meta_device_goes_all_the_way() -> None:
    def meta() -> Loaded:
        return target(models.Chain().to("meta"), X.to("meta"))

    assert [stage.status for stage in aot(meta).values()] == ["done"] * 3
