"""Logs that are cut, packed, damaged, foreign or hostile: what can be had is had, nothing is run, the rest is counted."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from graphcap.capture.logs import compiles
from graphcap.capture.logs.paths import Paths
from graphcap.capture.logs.printed.graphs import _PLAIN, Head, graphs_of
from graphcap.capture.logs.printed.source import NoGraphError
from graphcap.graph.check import check_graphs
from graphcap.graph.document import Graph
from tests.capture_logs.reading_logs import LOG, read

HEAD = "V1130 06:12:29.538000 23366 /usr/lib/python3/dist-packages/torch/_logging/structured.py:28] "


def record(said: str, payload: str = "") -> bytes:
    lines = "".join(f"\t{line}\n" for line in payload.split("\n")) if payload else ""
    return f"{HEAD}{said}\n{lines}".encode()


def dynamo(body: str, arguments: str = 'x: "f32[2][1]cpu"') -> bytes:
    text = f"class GraphModule(torch.nn.Module):\n    def forward(self, {arguments}):\n" + body
    return record('{"dynamo_output_graph": {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}', text)


def graph(body: str, arguments: str = 'x: "f32[2][1]cpu"') -> Graph:
    text = f"class <lambda>(torch.nn.Module):\n    def forward(self, {arguments}):\n{body}"
    graphs, _ = graphs_of(text, Head("dynamo.0", "", 0), _PLAIN, Paths([]))
    check_graphs(graphs, "t1", "dynamo", frozenset())
    return graphs[0]


@pytest.mark.parametrize("part", [0.1, 0.37, 0.8])
def test_a_log_that_is_cut_off_gives_what_came_whole(part: float, tmp_path: Path) -> None:
    found = read({"train.log": LOG[: int(len(LOG) * part)]}, tmp_path)
    assert found.torch.startswith("2.13")
    assert found.stages["t1", "dynamo"].graphs


def test_a_packed_log_whose_end_is_missing(tmp_path: Path) -> None:
    packed = gzip.compress(LOG)
    found = read({"train.log.gz": packed[: len(packed) // 2]}, tmp_path)
    assert found.stages["t1", "dynamo"].graphs
    assert any("is damaged" in words for words in found.said)


def test_lines_that_are_no_records_are_counted(tmp_path: Path) -> None:
    found = read({"a.log": b"hello\n" + record("{broken") + record("[1]") + record('{"frame_id": 1}') + LOG}, tmp_path)
    assert "4 lines are no record and were passed over" in found.said
    assert len(found.targets) == 4


def test_compiles_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compiles, "MAX_COMPILES", 1)
    other = dynamo("        return (x,)").replace(b'"frame_id": 0', b'"frame_id": 1')
    found = read({"a.log": dynamo("        return (x,)") + other * 2}, tmp_path)
    assert len(found.targets) == 1
    assert any(words.startswith("2 records are of compiles after the first") for words in found.said)


def test_unknown_kinds_are_counted(tmp_path: Path) -> None:
    found = read({"a.log": record('{"of_the_future": {}}') * 3 + dynamo("        return (x,)")}, tmp_path)
    assert any("of_the_future (3)" in words for words in found.said)
    assert len(found.stages["t1", "dynamo"].graphs) == 1


def test_no_log_and_a_log_of_nothing_say_what_to_do(tmp_path: Path) -> None:
    for name, data, kind in (("a", b"hello\n", "not-a-log"), ("b", record('{"str": ["a.py", 1]}'), "nothing-compiled")):
        (tmp_path / name).mkdir()
        (failure,) = read({"a.log": data}, tmp_path / name).failures
        assert failure.type == kind and any("TORCH_TRACE" in hint for hint in failure.hints)


def test_code_in_a_log_is_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    body = f"        y = __import__('os').system('touch {mark}')\n        z = open({str(mark)!r}, 'w')\n        return (y,)"
    found = read({"a.log": dynamo(body)}, tmp_path)
    assert not mark.exists()
    assert [node.name for node in found.stages["t1", "dynamo"].graphs[0].nodes] == ["x", "y", "z", "output"]


def test_a_line_python_can_not_read_loses_no_other(tmp_path: Path) -> None:
    body = "        y = <built-in thing at 0x7f>(x)\n        z = torch.sin(x)\n        return (y, z)"
    stage = read({"a.log": dynamo(body)}, tmp_path).stages["t1", "dynamo"]
    assert [node.target for node in stage.graphs[0].nodes] == ["x", "unreadable", "torch.sin", "output"]
    assert any("1 line" in note for note in stage.notes)


@pytest.mark.parametrize(
    "body",
    [
        "        y = " + "(" * 400 + ")" * 400,
        "        y = " + "-" * 50_000 + "1",
        "        y = x\n        return (((",
        "nonsense",
    ],
)
def test_a_graph_that_is_none_fails_its_stage_only(body: str, tmp_path: Path) -> None:
    stage = read({"a.log": dynamo(body)}, tmp_path).stages["t1", "dynamo"]
    assert stage.status in ("done", "failed")
    assert stage.graphs or stage.failures[0].type == "unreadable"


def test_two_nodes_of_one_name_are_no_graph() -> None:
    with pytest.raises(NoGraphError):
        graph("        y = torch.sin(x)\n        y = torch.cos(x)\n        return (y,)")


@pytest.mark.parametrize(
    ("line", "op", "target"),
    [
        ("y = x.view(2, -1)", "call_method", "view"),
        ("y = x + 1", "call_function", "operator.add"),
        ("y = x[(slice(None, 2, None), 0)]", "call_function", "operator.getitem"),
        ("x += 2;  y = x", "call_function", "operator.iadd"),
        ("x[0] = 1.0;  y = x", "call_function", "operator.setitem"),
        ("y = x.shape", "call_function", "builtins.getattr"),
        ("y = self.fc1(x)", "call_module", "fc1"),
        ("y = self._tensor_constant0", "get_attr", "_tensor_constant0"),
        ('y = getattr(self, "0").weight', "get_attr", "0.weight"),
        ("y = torch.ops.aten.sum.dim_IntList(x, [0], dtype = torch.float64)", "call_function", "aten.sum.dim_IntList"),
        (
            "y = torch.ops.mine.thing.default(x, device = device(type='cuda', index=0))",
            "call_function",
            "mine.thing.default",
        ),
    ],
)
def test_every_form_torch_prints_a_node_in(line: str, op: str, target: str) -> None:
    found = graph(f"        {line}\n        return (y,)")
    assert [(node.name, node.op, node.target) for node in found.nodes][1] == ("y", op, target)
