"""The halves that the partitioner which was not chosen makes, and what torch says of what is saved, against plain torch."""

from __future__ import annotations

from typing import Any
from unittest import mock

import compile_models as models
import networkx  # type: ignore[import-untyped]
import pytest
import torch
from compile_forks import aot, call, in_fork, names, own, raw_aot
from compile_models import X, target
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.partitioners import default_partition, get_default_op_list, min_cut_rematerialization_partition

from graphcap.capture.partition.cut import UNSAID
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Graph, Stage

pytestmark = pytest.mark.torch

OWN = {"min_cut": min_cut_rematerialization_partition, "default": default_partition}
OTHER = {"min_cut": "default", "default": "min_cut"}


def chain() -> Loaded:
    return target(models.Chain(), X)


def checkpointed() -> Loaded:
    return target(models.Checkpointed(), X)


def besides(stage: Stage, variant: str) -> list[Graph]:
    return [graph for graph in stage.graphs if graph.variant == variant and not graph.parent]


@pytest.mark.parametrize("make", [chain, checkpointed, lambda: target(models.HalfGrad(), X)])
@pytest.mark.parametrize("partitioner", OWN)
def test_the_other_halves_are_torchs_own_and_the_joint_graph_is_untouched(make: Any, partitioner: str) -> None:
    stages, other = aot(make, partitioner=partitioner), OTHER[partitioner]
    theirs = raw_aot(make, OWN[other])
    for stage in ("forward", "backward"):
        ours = besides(stages[stage], other)
        wanted = theirs[stage][-len(ours) :]  # the fragments before have no backward
        assert [[node.target for node in graph.nodes] for graph in ours] == wanted
        assert {graph.id for graph in ours} == {f"{stage}.{graph.fragment}.{other}" for graph in own(stages["backward"])}
        assert all(graph.title.endswith(f"({other.replace('_', '-')} partitioner)") for graph in ours)
    assert [[node.target for node in graph.nodes] for graph in own(stages["joint"])] == theirs["joint"]
    chosen = raw_aot(make, OWN[partitioner])
    for stage in ("joint", "forward", "backward"):
        assert [[node.target for node in graph.nodes] for graph in own(stages[stage])] == chosen[stage]


def test_where_the_other_partitioner_fails_there_is_a_note_and_nothing_else() -> None:
    def failing() -> Loaded:
        def fails(*args: Any, **more: Any) -> Any:
            raise RuntimeError("not this one")

        from graphcap.capture.partition import cut

        cut.PARTITIONERS["default"] = fails
        return chain()

    stages = aot(failing)
    assert [stage.status for stage in stages.values()] == ["done"] * 3
    assert "the default partitioner fails on the joint graph: RuntimeError: not this one" in stages["forward"].notes
    assert not besides(stages["forward"], "default") and not besides(stages["backward"], "default")
    assert all(graph.replay is not None and graph.replay.close for stage in stages.values() for graph in own(stage))


def raw_reasons(make: Any) -> dict[str, str]:
    """Node -> the reason on the edge that keeps it from being recomputed, in the network torch has cut."""

    def work() -> dict[str, str]:
        found: dict[str, str] = {}
        cut = networkx.minimum_cut

        def listening(network: Any, *args: Any, **more: Any) -> Any:
            for node in network.successors("source"):
                found[node.removesuffix("_in")] = network.edges["source", node]["reason"]
            return cut(network, *args, **more)

        with mock.patch.object(networkx, "minimum_cut", listening):
            backend = aot_autograd(
                fw_compiler=lambda module, inputs: module, partition_fn=min_cut_rematerialization_partition
            )
            call(torch.compile, make(), backend)
        return found

    return in_fork(work)  # type: ignore[no-any-return]


@pytest.mark.parametrize(("partitioner", "variant"), [("min_cut", ""), ("default", "min_cut")])
@pytest.mark.parametrize("make", [chain, lambda: target(models.Normed(), X)])
def test_why_a_value_is_not_recomputed_is_what_torch_says(make: Any, partitioner: str, variant: str) -> None:
    (forward,) = besides(aot(make, partitioner=partitioner)["forward"], variant)
    theirs = {name: reason for name, reason in raw_reasons(make).items() if name in names(forward)}
    ours = {
        node.name: f"cannot recompute: {node.origin.not_recomputed}".removesuffix(f": {UNSAID}")
        for node in forward.nodes
        if node.origin is not None and node.origin.not_recomputed
    }
    assert ours == theirs
    assert "cannot recompute: primal input" in ours.values() and len(set(ours.values())) > 1


def test_the_default_partitioner_gives_no_reasons() -> None:
    for variant, partitioner in (("", "default"), ("default", "min_cut")):
        (forward,) = besides(aot(chain, partitioner=partitioner)["forward"], variant)
        assert not any(node.origin.not_recomputed for node in forward.nodes if node.origin is not None)


def test_what_the_partitioners_think_of_an_op_is_its_tag() -> None:
    known = get_default_op_list()
    lists = {
        "compute_intensive": known.compute_intensive_ops,
        "recomputable": known.recomputable_ops,
        "fusible": known.fusible_ops,
        "partitioner_random": known.random_ops,
        "partitioner_view": known.view_ops,
    }
    seen: set[str] = set()
    stages = [*aot(chain).values(), *aot(lambda: target(models.Normed(), X)).values()]
    nodes = [node for stage in stages for graph in own(stage) for node in graph.nodes if node.target.startswith("aten.")]
    for node in nodes:
        packet = getattr(torch.ops.aten, node.target.split(".")[1])
        wanted = {tag for tag, ops in lists.items() if packet in ops}
        assert wanted == set(node.tags) & set(lists), node.target
        seen |= wanted
    assert seen >= {"compute_intensive", "recomputable", "fusible", "partitioner_view"}
