"""A real log of torch 2.13, see logged/generate.py: every graph, held against what torch itself counted and wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphcap.analyses.links.linked import linked
from graphcap.analyses.links.places import Shelf
from graphcap.graph.document import LOG_STAGES
from tests.capture_logs.reading_logs import CODE, LOG, Read, read


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Read:
    return read({"train.log": LOG, "train.py": CODE}, tmp_path_factory.mktemp("log"))


def records(kind: str) -> list[dict[str, object]]:
    lines = (line for line in LOG.decode().splitlines() if not line.startswith("\t") and f'{{"{kind}"' in line)
    return [json.loads(line[line.index("] {") + 2 :])[kind] for line in lines]


def test_every_function_is_a_target_and_a_reset_keeps_ids_apart(log: Read) -> None:
    assert log.torch.startswith("2.13")
    assert [target.title for target in log.targets] == [
        "forward (train.py, line 23)",
        "early (train.py, line 31), after a reset of Dynamo",
        "again (train.py, line 36), after 2 resets of Dynamo",
        "chosen (train.py, line 41), after 3 resets of Dynamo",
    ]
    assert [[each.id for each in target.compilations] for target in log.targets] == [
        ["0/0", "1/0", "2/0", "0/1", "1/1", "2/1"],
        ["0/0"],
        ["0/0"],
        ["0/0"],
    ]


def test_node_counts_are_those_of_compilation_metrics(log: Read) -> None:
    counted = [each["graph_node_count"] for each in records("compilation_metrics")]
    compiled = [(target, each) for target in log.targets for each in target.compilations]
    assert [each.nodes for _, each in compiled] == counted
    for target, each in compiled:
        dynamo = log.stages[target.id, "dynamo"].graphs
        (graph,) = [g for g in dynamo if (g.fragment, g.recompile, g.parent) == (each.fragment, each.recompile, "")]
        assert len(graph.nodes) == each.nodes, graph.id


def test_every_logged_graph_is_there(log: Read) -> None:
    text = LOG.decode()
    for kind, stage in (
        ('{"dynamo_output_graph"', "dynamo"),
        ('"after_pre_grad_graph"', "pre_grad"),
        ('{"aot_joint_graph"', "joint"),
        ('{"aot_backward_graph"', "backward"),
        ('"inductor_post_grad_graph"', "post_grad"),
    ):
        graphs = [g for (_, id), each in log.stages.items() if id == stage for g in each.graphs if not g.parent]
        assert len(graphs) == text.count(kind) > 0, kind
    assert all(each.status in ("done", "skipped") and not each.failures for each in log.stages.values())
    assert {stage for _, stage in log.stages} == set(LOG_STAGES)


def test_a_node_has_what_torch_printed_of_it(log: Read) -> None:
    graph = log.graph("joint.0")
    names = {node.name: node for node in graph.nodes}
    value = names["addmm"].value
    assert (names["addmm"].target, getattr(value, "dtype", ""), getattr(value, "shape", ())) == (
        "aten.addmm.default",
        "float32",
        (4, 16),
    )
    frame = graph.frames[graph.stacks[names["addmm"].stack][-1]]
    assert (frame.file, frame.user, frame.code.startswith("return x + self.fc2")) == ("train.py", True, True)
    assert graph.schemas[names["addmm"].schema].text.startswith("aten::addmm(")
    inputs = [(node.placeholder.kind, node.placeholder.name) for node in graph.nodes if node.placeholder]
    assert inputs[:3] == [("parameter", "blocks.0.norm.weight"), ("parameter", "blocks.0.norm.bias"), ("input", "x")]
    assert [(each.kind, each.name) for each in graph.nodes[-1].returns][2:4] == [
        ("gradient", "blocks.0.norm.weight"),
        ("gradient", "blocks.0.norm.bias"),
    ]
    line = graph.readable.split("\n")[graph.readable_lines.index(graph.nodes.index(names["addmm"]))]
    assert re.match(r"\s*addmm: ", line)


def test_the_recompile_has_symbolic_sizes_and_its_reason(log: Read) -> None:
    stage = log.stages["t1", "dynamo"]
    x = next(node for node in log.graph("dynamo.0.r1").nodes if getattr(node.value, "shape", ()) and node.name == "l_x_")
    assert str(getattr(x.value, "shape", ())[0]).startswith("s")
    again = stage.recompiles[0]
    assert "size mismatch at index 0. expected 4, actual 6" in again.reason
    assert stage.guards[again.failed[0].guard].source == "L['x']"
    assert "size=[4, 8]" in stage.guards[again.failed[0].guard].code[0]


def test_breaks_with_their_lines(log: Read) -> None:
    stops = log.stages["t1", "dynamo"].breaks
    assert [(stop.kind, stop.frames[-1].line, stop.before, stop.after) for stop in stops] == [
        ("Data-dependent branching", 25, 0, 1),
        ("Failed to trace builtin operator", 27, 1, 2),
    ]
    assert all(stop.explanation and stop.hints and "Traceback" not in stop.explanation for stop in stops)


def test_a_backward_that_comes_after_a_reset_belongs_to_its_own_forward(log: Read) -> None:
    early, again = log.graph("t2.post_grad.0.backward"), log.graph("t3.post_grad.0.backward")
    assert {node.target for node in early.nodes} >= {"aten.mm.default"}
    assert {node.target for node in again.nodes} >= {"aten.cos.default"}
    assert "_backward']" in early.code and early.code != again.code


def test_bodies_of_higher_order_operators(log: Read) -> None:
    cond = next(node for node in log.graph("t4.dynamo.0").nodes if "cond" in node.target and node.op == "call_function")
    assert cond.bodies == ("t4.dynamo.0/cond_true_0", "t4.dynamo.0/cond_false_0")
    assert [node.target for node in log.graph("t4.forward.0/true_graph_0").nodes][1] == "aten.sin.default"


def test_links_between_the_stages(log: Read) -> None:
    ids = [graph.id for stage in log.stages.values() for graph in stage.graphs]
    shelf = Shelf(ids, log.graph)
    for a, b in (("dynamo.0", "pre_grad.0"), ("joint.0", "forward.0"), ("forward.0", "post_grad.0")):
        found = linked(a, b, shelf)
        ends = {j for _, j, _ in found.exact}
        calls = [i for i, node in enumerate(log.graph(b).nodes) if node.op.startswith("call_")]
        assert calls and ends >= set(calls), (a, b)
    assert linked("backward.0", "post_grad.0.backward", shelf).exact
    assert linked("pre_grad.0", "joint.0", shelf).line


def test_times_and_kinds_are_told(log: Read) -> None:
    first = log.targets[0].compilations[0]
    assert first.seconds and dict(first.phases)["Inductor"] < first.seconds and (first.guards or 0) > 50
    assert log.stages["t1", "joint"].seconds is None
    assert log.said[0].endswith("records read") and "chromium_event" in log.said[1]


def test_each_process_of_a_distributed_run_is_told_by_its_rank(tmp_path: Path) -> None:
    part = LOG[: len(LOG) // 3]
    found = read({f"dedicated_log_torch_trace_rank_{rank}_x{rank}y.log": part for rank in (0, 1)}, tmp_path)
    halves = [[each for each in found.targets if each.title.endswith(f", rank {rank}")] for rank in (0, 1)]
    assert len(halves[0]) == len(halves[1]) > 0 and len(found.targets) == 2 * len(halves[0])
    for one, other in zip(*halves, strict=True):
        mine, theirs = (found.stages[each.id, "dynamo"].graphs for each in (one, other))
        assert [len(graph.nodes) for graph in mine] == [len(graph.nodes) for graph in theirs]
