"""Ways of looking at a graph: groups by original op, colours and their legend, the operators of every stage, charts."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit, submit
from tests.browser.looking_at import let_pass, still

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]

LEFT = """import torch

class Norm(torch.nn.Module):
    def forward(self, x):
        return torch.linalg.vector_norm(x.sin(), dim=-1).cos()

model = Norm()
example_args = (torch.randn(2, 8),)
"""


@pytest.fixture
def norms(captured: Captured) -> str:
    return captured("10_decompositions")


def asked(served: str, id: str, path: str) -> Any:
    return json.load(urllib.request.urlopen(f"{served}/api/captures/{id}/{path}"))


def heading(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Details of the selection").get_by_role("heading", level=2)


def group_by(page: Page, words: str) -> None:
    page.get_by_title("How this graph is arranged").click()
    page.get_by_role("group", name="Group nodes").get_by_role("button", name=re.compile(f"^{words}")).click()


# ------------------------------------------------------------------------------------------------------------- groups


def test_an_op_is_a_group_that_opens_into_what_it_was_decomposed_into(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=core_aten.0")
    expect(page.locator(".graph-canvas")).to_be_visible()
    group_by(page, "By original op")
    expect(page).to_have_url(re.compile(r"[?&]b=op(&|$)"))
    page.get_by_role("tab", name="Outline").click()
    norm = page.get_by_role("treeitem", name=re.compile(r"^rms_norm . rms_norm ?, original op · \d nodes"))
    norm.locator(".outline-line").click()
    expect(heading(page)).to_have_text("rms_norm")
    details = page.get_by_role("complementary", name="Details of the selection")
    expect(details).to_contain_text("rms_norm, in the exported graph")
    expect(details).to_contain_text("aten.rsqrt.default")
    details.get_by_role("button", name="Open or close this group").click()
    expect(page).to_have_url(re.compile(r"[?&]o=rms_norm/rms_norm(&|$)"))
    expect(page).to_have_url(re.compile(r"[?&]g=rms_norm/rms_norm(&|$)"))
    page.reload()
    expect(heading(page)).to_have_text("rms_norm")
    expect(page).to_have_url(re.compile(r"b=op.*o=rms_norm/rms_norm|o=rms_norm/rms_norm.*b=op"))


def test_a_node_inside_an_op_is_shown_where_it_stands(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=core_aten.0&b=op&s=core_aten.0:rsqrt")
    expect(heading(page)).to_have_text("rsqrt")
    expect(page).to_have_url(re.compile(r"[?&]o=rms_norm/rms_norm(&|$)"))


def test_groups_by_op_are_offered_where_torch_recorded_decompositions(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=export.0")
    page.get_by_title("How this graph is arranged").click()
    menu = page.get_by_role("group", name="Group nodes")
    expect(menu.get_by_role("button", name=re.compile("^By original op"))).to_be_disabled()
    expect(menu).to_contain_text("nothing in this graph was decomposed")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()


def test_the_grouping_stays_from_stage_to_stage(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=core_aten.0&b=op")
    expect(page.get_by_title("How this graph is arranged")).to_contain_text("By op")
    page.get_by_role("navigation", name="Stages").get_by_role("button", name=re.compile("^Joint")).click()
    expect(page.get_by_role("region", name="Graph joint.0")).to_be_visible()
    page.get_by_role("tab", name="Outline").click()
    expect(
        page.get_by_role("treeitem", name=re.compile("layer_norm . layer_norm ?, original op · backward"))
    ).to_be_visible()


# ------------------------------------------------------------------------------------------------------------ colours


def legend(page: Page) -> Locator:
    return page.locator(".legend")


def row(page: Page, title: str) -> Locator:
    return legend(page).locator(".legend-row", has_text=title)


def test_every_way_of_colouring_has_a_legend_that_counts_all_nodes(visit: Visit, served: str, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=joint.0")
    page.get_by_role("button", name="Colours").click()
    nodes = len(asked(served, norms, "graphs/joint.0")["nodes"]["name"])
    choice = legend(page).get_by_label("Colour by")
    expect(choice.locator("option")).not_to_have_count(0)
    modes = choice.locator("option").all_text_contents()
    assert modes[0] == "Kind of operation"
    assert {"Module", "Data type", "Core ATen", "Saved and recomputed", "Forward and backward"} < set(modes)
    for mode in modes:
        choice.select_option(label=mode)
        expect(legend(page).locator(".legend-row")).not_to_have_count(0)
        counts = legend(page).locator(".legend-row .muted").all_text_contents()
        assert sum(int(count.replace(",", "")) for count in counts) == nodes, mode


def test_a_legend_filters_by_mouse_and_by_keys_and_its_link_says_so(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=joint.0&k=half")
    row(page, "backward").click()
    expect(page).to_have_url(re.compile(r"[?&]f=is_backward(&|$)"))
    expect(row(page, "backward")).to_have_attribute("aria-pressed", "true")
    expect(row(page, "forward")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]f=is_backward,is_forward(&|$)"))
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile(r"[?&]f="))
    expect(legend(page).get_by_role("button", name="Show all")).to_be_hidden()


def test_what_a_filter_leaves_out_is_dimmed(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=core_aten.0&k=class")
    canvas = page.locator(".graph-canvas")
    expect(row(page, "RMSNorm")).to_be_visible()
    bright = still(canvas)
    row(page, "RMSNorm").click()
    dimmed = still(canvas, after=bright)
    legend(page).get_by_role("button", name="Show all").click()
    page.mouse.move(0, 0)
    still(canvas, after=dimmed)


def test_a_row_of_the_legend_selects_its_nodes(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=core_aten.0&k=dtype")
    nodes = int(row(page, "f32").locator(".muted").text_content() or "")
    row(page, "f32").hover()
    legend(page).get_by_role("button", name=f"Select these {nodes}: f32").click()
    expect(heading(page)).to_have_text(f"{nodes} nodes selected")


def test_saved_and_recomputed_are_those_of_the_partitioner(visit: Visit, served: str, norms: str) -> None:
    mirror = asked(served, norms, "mirror/forward.0")["cut"]
    for graph in ("joint.0", "forward.0", "backward.0"):
        page = visit(f"/c/{norms}#v1?p={graph}&k=saved&f=saved")
        expect(row(page, "saved for the backward").locator(".muted")).to_have_text(str(len(mirror["saved"])))
        expect(row(page, "saved for the backward")).to_have_attribute("aria-pressed", "true")
        again = row(page, "recomputed in the backward")
        if mirror["recomputed"]:
            expect(again.locator(".muted")).to_have_text(str(len(mirror["recomputed"])))
        else:
            expect(again).to_have_count(0)


def test_a_way_of_colouring_that_a_graph_does_not_have_falls_back(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=dynamo.0&k=saved&f=saved")
    expect(legend(page).get_by_label("Colour by")).to_have_value("kind")
    expect(legend(page).get_by_role("button", name="Show all")).to_be_hidden()


# ---------------------------------------------------------------------------------------------------------- operators


def surface(page: Page) -> Locator:
    return page.locator(".surface")


def test_the_operators_of_every_stage_are_counted_and_select_their_nodes(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=joint.0&d=operators")
    expect(surface(page).locator("thead")).to_contain_text("Core ATen")
    norm = surface(page).get_by_role("row", name=re.compile("^rms_norm"))
    expect(norm).to_contain_text("not core")
    norm.get_by_role("button", name="Select 1 call in Export: rms_norm").click()
    expect(page.get_by_role("region", name="Graph export.0")).to_be_visible()
    expect(heading(page)).to_have_text("rms_norm")


def test_what_an_operator_became_is_selected(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=core_aten.0&d=operators")
    norm = surface(page).get_by_role("row", name=re.compile("^rms_norm"))
    norm.get_by_role("button", name=re.compile("^mul")).click()
    expect(heading(page)).to_have_text(re.compile("^2 nodes selected$"))
    page.get_by_role("searchbox", name="Filter the operators").fill("rsqrt")
    expect(surface(page).locator("tbody tr")).to_have_count(2)


def test_what_decomposition_left_outside_the_core_set_says_why_that_matters(visit: Visit, served: str) -> None:
    id = submit(served, LEFT, "left.py")
    page = visit(f"/c/{id}#v1?p=core_aten.0&d=operators")
    left = page.get_by_role("button", name="1 operator left outside the core set")
    left.click()
    expect(surface(page).locator("tbody tr")).to_have_count(1)
    expect(surface(page).locator("tbody")).to_contain_text("linalg_vector_norm")
    expect(surface(page).locator("tbody")).to_contain_text("needs a kernel of its own")
    left.click()
    expect(surface(page).locator("tbody tr")).not_to_have_count(1)


# ------------------------------------------------------------------------------------------------------------- charts


PLOTLY_MS = 30_000  # to load and run 5 MB of script, beside other tests


def chart(page: Page) -> Locator:
    return page.locator(".chart")


def drawn(page: Page, shapes: str = ".barlayer .point path") -> Locator:
    """The shapes of a chart, once it is drawn."""
    found = chart(page).locator(shapes)
    expect(found).not_to_have_count(0, timeout=PLOTLY_MS)
    return found


def click_on(page: Page, shape: Locator) -> None:
    shape.first.wait_for()
    let_pass(page, 400)
    box = shape.first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 8)
    page.mouse.move(x - 2, y)
    page.mouse.move(x, y)
    let_pass(page, 200)
    page.mouse.click(x, y)


def test_plotly_is_loaded_only_when_the_charts_are_opened(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=joint.0")
    expect(page.locator(".graph-canvas")).to_be_visible()
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    page.get_by_role("tab", name="Guards").click()
    assert not any("plotly" in url for url in asked_for)
    page.get_by_role("tab", name="Charts").click()
    drawn(page)
    assert sum("plotly" in url for url in asked_for) == 1
    assert all(url.startswith(page.url.split("/c/")[0]) for url in asked_for)


def test_a_bar_selects_its_nodes(visit: Visit, served: str, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=core_aten.0&d=charts")
    figure = asked(served, norms, "charts/calls")
    shown = [trace for trace in figure["data"] if trace["visible"] is True]
    tallest = max(shown[-1]["y"])
    drawn(page)
    click_on(page, chart(page).locator(".barlayer .trace.bars").last.locator(".point path"))
    at = shown[-1]["y"].index(tallest)
    ((gid, nodes),) = shown[-1]["customdata"][at]
    assert gid == "core_aten.0"
    expect(heading(page)).to_have_text(f"{len(nodes)} nodes selected")


def test_a_tile_selects_what_is_saved_there(visit: Visit, served: str, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=joint.0&d=charts.saved")
    tiles = drawn(page, ".treemaplayer .slice")
    expect(chart(page)).to_contain_text("min_cut:")
    expect(chart(page)).to_contain_text("default:")
    click_on(page, tiles.last.locator("path"))
    expect(page.get_by_role("region", name="Graph forward.0.default")).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]s=forward\.0\.default:"))


def test_charts_are_chosen_and_in_the_address(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=joint.0&d=charts")
    drawn(page)
    page.get_by_role("button", name="Distinct operators by stage").click()
    expect(page).to_have_url(re.compile(r"[?&]d=charts\.distinct(&|$)"))
    expect(chart(page)).to_have_attribute("aria-label", re.compile("^Distinct operators by stage"))
    expect(chart(page)).to_contain_text("core ATen")
    page.get_by_role("button", name="Calls by operator").click()
    expect(chart(page)).to_contain_text("rms_norm")


def test_charts_take_the_colours_of_the_theme(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=joint.0&d=charts.distinct", color_scheme="light")
    expect(drawn(page).first).to_have_css("fill", "rgb(6, 90, 166)")
    page.get_by_role("button", name=re.compile("dark|theme", re.I)).first.click()
    expect(drawn(page).first).to_have_css("fill", "rgb(79, 177, 255)")


def test_a_chart_of_nothing_says_why(visit: Visit, served: str) -> None:
    page = visit(f"/c/{submit(served, LEFT, 'nothing.py')}#v1?d=charts.saved")
    expect(page.locator(".drawer-charts")).to_contain_text("Nothing to show here")


def test_on_a_phone_the_charts_scroll_and_the_page_does_not(visit: Visit, norms: str) -> None:
    page = visit(f"/c/{norms}#v1?p=joint.0&d=charts.distinct", viewport={"width": 390, "height": 844})
    drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
