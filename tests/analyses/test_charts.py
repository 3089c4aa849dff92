"""What the charts show, and what a click on a bar or a tile selects."""

from __future__ import annotations

from typing import Any

import pytest
from handmade_graphs import call, sound
from test_mirror import halves

from graphcap.analyses.charts import plotlyjs, saved
from graphcap.analyses.charts.calls import MOST
from graphcap.analyses.charts.drawn import Captured, Figure, NothingToDrawError, size_text
from graphcap.analyses.charts.saved import AROUND, HELD, KEPT
from graphcap.analyses.charts.table import CHARTS
from graphcap.analyses.mirror.partition import partition
from graphcap.graph.document import Graph, Node, StageId

NOTHING = Captured({}, {"min_cut": []})


def graph(gid: str, *targets: str, **fields: Any) -> Graph:
    """Calls of these operators, after one input."""
    nodes = (Node("x", "placeholder", "x"), *(call(f"n{i}", target, 0, **fields) for i, target in enumerate(targets)))
    return sound(Graph(gid, gid, int(gid.split(".")[1]), nodes))


def draw(name: str, captured: Captured) -> Figure:
    return CHARTS[name].make(captured)


def bars(figure: Figure) -> dict[str, dict[str, int]]:
    """Height of every bar by trace and place; those of no height left out."""
    return {trace["name"]: {x: y for x, y in zip(trace["x"], trace["y"], strict=True) if y} for trace in figure["data"]}


STAGES: dict[StageId, list[Graph]] = {
    "dynamo": [graph("dynamo.0", "torch._C._nn.linear", "operator.getitem"), graph("dynamo.1", "torch._C._nn.linear")],
    "export": [graph("export.0", "aten.linear.default", "aten.linear.default", "aten.relu.default")],
    "core_aten": [
        graph("core_aten.0", "aten.view.default", "aten.mm.default", "aten.mm.default", "aten.relu.default", tags=("core",))
    ],
    "joint": [],
}
CAPTURED = Captured(STAGES, {"min_cut": []})


def test_calls_before_and_after_decomposition() -> None:
    figure = draw("calls", CAPTURED)
    assert bars(figure) == {
        "Dynamo": {"linear": 2},
        "Export": {"linear": 2, "relu": 1},
        "Core ATen": {"mm": 2, "relu": 1, "view": 1},
    }
    assert figure["data"][0]["x"] == ["linear", "mm", "relu", "view"], "the most frequent first, else by name"
    assert [trace["visible"] for trace in figure["data"]] == ["legendonly", True, True]


def test_a_bar_knows_its_nodes_in_every_graph() -> None:
    dynamo = draw("calls", CAPTURED)["data"][0]
    assert dynamo["customdata"] == [[["dynamo.0", [1]], ["dynamo.1", [1]]], [], [], []]
    for trace in draw("calls", CAPTURED)["data"] + draw("distinct", CAPTURED)["data"]:
        for nodes in trace["customdata"]:
            assert all(indices == sorted(set(indices)) and indices for _, indices in nodes)
    for trace in draw("calls", CAPTURED)["data"]:
        assert [sum(len(indices) for _, indices in nodes) for nodes in trace["customdata"]] == trace["y"]


def test_rare_operators_stand_together() -> None:
    names = [f"aten.op{i}.default" for i in range(MOST + 5)]
    figure = draw("calls", Captured({"eager": [graph("eager.0", *names, names[3])]}, {}))
    (trace,) = figure["data"]
    assert (trace["x"][0], trace["y"][0]) == ("op3", 2)
    assert (trace["x"][-1], trace["y"][-1]) == ("5 others", 5)
    assert sum(trace["y"]) == MOST + 6


def test_distinct_operators_by_what_they_are() -> None:
    assert bars(draw("distinct", CAPTURED)) == {
        "core ATen": {"Core ATen": 3},
        "other operators": {"Export": 2},
        "Python functions and methods": {"Dynamo": 1},
    }
    hop = Captured({"export": [graph("export.0", "higher_order.cond", "aten.relu.default")]}, {})
    assert bars(draw("distinct", hop)) == {"higher-order": {"Export": 1}, "other operators": {"Export": 1}}


def test_saved_bytes_are_those_of_the_cut_under_each_partitioner() -> None:
    cut = partition(*halves(), "min_cut")
    figure = draw("saved", Captured({}, {"min_cut": [cut], "default": [partition(*halves(again=False), "default")]}))
    assert [trace["name"] for trace in figure["data"]] == ["min_cut", "default"]
    tiles = figure["data"][0]
    assert (tiles["ids"][0], tiles["parents"][0], tiles["values"][0]) == ("min_cut", "", cut.totals.bytes)
    values = dict(zip(tiles["ids"], tiles["values"], strict=True))
    for id in tiles["ids"]:
        inside = [values[child] for child, parent in zip(tiles["ids"], tiles["parents"], strict=True) if parent == id]
        assert not inside or sum(inside) == values[id], f"{id}: {inside}"
    colours = dict(zip(tiles["ids"], tiles["meta"]["colours"], strict=True))
    assert {colours[id] for id in values if "#" in id} == {HELD, KEPT}
    assert {colours[id] for id in values if "#" not in id} == {AROUND}
    said = [note["text"] for note in figure["layout"]["annotations"]]
    assert said[0].startswith(f"min_cut: {cut.totals.saved} tensors, {size_text(cut.totals.bytes)}")


def test_a_tile_knows_the_saved_nodes_inside_it() -> None:
    cut = partition(*halves(), "min_cut")
    tiles = draw("saved", Captured({}, {"min_cut": [cut]}))["data"][0]
    nodes = dict(zip(tiles["ids"], tiles["customdata"], strict=True))
    ((gid, indices),) = nodes["min_cut"]
    assert gid == "forward.0"
    assert sorted(indices) == sorted(each.forward for each in cut.saved if each.storage >= 0 and each.bytes)


def test_fragments_stand_beside_each_other() -> None:
    cut = partition(*halves(), "min_cut")
    renamed = Captured({}, {"min_cut": [cut, cut.__class__(**{**_fields(cut), "forward": "forward.1"})]})
    tiles = draw("saved", renamed)["data"][0]
    assert [id for id, parent in zip(tiles["ids"], tiles["parents"], strict=True) if parent == "min_cut"] == [
        "forward.0",
        "forward.1",
    ]
    assert len(set(tiles["ids"])) == len(tiles["ids"])


def test_many_storages_are_drawn_together_by_module(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = partition(*halves(), "min_cut")
    each = draw("saved", Captured({}, {"min_cut": [cut]}))["data"][0]
    monkeypatch.setattr(saved, "MOST_TILES", 0)
    together = draw("saved", Captured({}, {"min_cut": [cut]}))["data"][0]
    assert together["values"][0] == each["values"][0]

    def leaves(tiles: dict[str, Any]) -> list[tuple[str, str]]:
        return [
            (parent, colour)
            for id, parent, colour in zip(tiles["ids"], tiles["parents"], tiles["meta"]["colours"], strict=True)
            if "#" in id
        ]

    assert sorted(leaves(together)) == sorted(set(leaves(each)))


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


@pytest.mark.parametrize("name", CHARTS)
def test_nothing_to_draw_is_said_with_its_reason(name: str) -> None:
    with pytest.raises(NothingToDrawError, match=r"No stage has a graph|there is no backward"):
        draw(name, NOTHING)


@pytest.mark.parametrize("name", ["calls", "distinct"])
def test_names_of_other_people_are_no_markup(name: str) -> None:
    odd = graph("export.0", "mine.<b>x</b>&.default")
    figure = draw(name, Captured({"export": [odd]}, {}))
    assert "<b>" not in str(figure["data"]) + str(figure["layout"])


@pytest.mark.parametrize("name", CHARTS)
def test_figures_have_no_markup_that_needs_inline_styles(name: str) -> None:
    """plotly turns <b>, <i>, <a>, <span>, <sub> and <sup> into `style` attributes, which the page's policy forbids."""
    figure = draw(name, CAPTURED._replace(cuts={"min_cut": [partition(*halves(), "min_cut")]}))
    tags = set(str(figure).replace("<br>", "").replace("<extra></extra>", "").split("<")[1:])
    assert not tags
    assert "template" not in figure["layout"]


def test_sizes_in_words() -> None:
    assert [size_text(n) for n in (0, 1023, 1024, 1536, 10 * 1024, 5 << 30, 3 << 50)] == [
        "0 B",
        "1023 B",
        "1.0 KiB",
        "1.5 KiB",
        "10 KiB",
        "5.0 GiB",
        "3072 TiB",
    ]


def test_the_package_ships_the_script() -> None:
    head = plotlyjs.content()[:200]
    assert b"plotly.js" in head
    assert plotlyjs.VERSION[0].isdigit()
