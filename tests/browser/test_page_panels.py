"""The panels of a finished capture: each leads to the same nodes, and the other panels follow."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.looking_at import let_pass

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]


@pytest.fixture
def mlp(visit: Visit, captured: Captured) -> Page:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=export.0")
    expect(page.locator(".graph-canvas")).to_be_visible()
    expect(page.get_by_role("complementary")).to_contain_text("export.0")
    return page


def details(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Details of the selection")


def heading(page: Page) -> Locator:
    return details(page).get_by_role("heading", level=2)


def rail(page: Page, stage: str) -> Locator:
    return page.get_by_role("navigation", name="Stages").get_by_role("button", name=re.compile(f"^{stage}"))


def click_a_node(page: Page) -> str:
    """Clicks down the middle of the canvas until a node is hit. Gives its name."""
    box = page.locator(".graph-canvas").bounding_box()
    assert box is not None
    before = heading(page).text_content()
    for y in range(30, int(box["height"]), 20):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + y)
        let_pass(page, 120)
        kind = details(page).locator(".node-kind")
        if kind.count() and heading(page).text_content() != before:
            return heading(page).text_content() or ""
    raise AssertionError("no node down the middle of the canvas")


def test_a_click_on_the_canvas_shows_the_node(mlp: Page) -> None:
    name = click_a_node(mlp)
    assert f":{name}" in mlp.url
    mlp.get_by_role("tab", name="Text").click()
    expect(mlp.locator(".text-line.lit")).to_contain_text(name)


def test_details_say_everything_and_lead_on(mlp: Page) -> None:
    mlp.get_by_role("tab", name="Text").click()
    mlp.locator(".text-line", has_text="aten.linear.default").first.click()
    expect(heading(mlp)).to_have_text(re.compile("linear"))
    panel = details(mlp)
    for words in (
        "aten.linear.default",
        "float32",
        "stride",
        "requires grad",
        "aten::linear(Tensor input",
        "Linear",
        "02_mlp.py:",
        "Used by",
    ):
        expect(panel).to_contain_text(words)
    panel.get_by_text("Docstring").click()
    expect(panel).to_contain_text("Applies a linear transformation")
    weight = panel.get_by_role("row", name=re.compile("^weight")).get_by_role("button")
    parameter = weight.text_content()
    weight.click()
    expect(heading(mlp)).to_have_text(parameter or "")
    expect(panel).to_contain_text("parameter")
    expect(panel).to_contain_text(re.compile(r"\.weight"))


def test_a_line_of_the_source_selects_its_nodes(mlp: Page) -> None:
    counted = mlp.locator(".counts .count")
    expect(counted).not_to_have_count(0)
    nodes = int(counted.first.text_content() or "")
    counted.first.click()
    if nodes == 1:
        expect(details(mlp).locator(".node-kind")).to_be_visible()
    else:
        expect(heading(mlp)).to_have_text(f"{nodes} nodes selected")
    expect(mlp.locator(".code-place .lit")).to_have_count(1)


def test_a_frame_leads_to_its_line(mlp: Page) -> None:
    mlp.locator("#side").get_by_role("tab", name="Operators").click()
    mlp.locator(".op-name").first.click()
    details(mlp).locator(".node-row").last.click()
    link = details(mlp).get_by_role("button", name=re.compile(r"02_mlp\.py:\d+")).first
    line = int((link.text_content() or "").split(":")[1])
    link.click()
    expect(mlp.get_by_role("tab", name="Source")).to_have_attribute("aria-selected", "true")
    code = (Path(__file__).parents[2] / "graphcap/web/examples/02_mlp.py").read_text().splitlines()[line - 1]
    expect(mlp.locator(".code-place .lit")).to_have_text(code)


def test_operators_select_all_their_nodes(mlp: Page) -> None:
    mlp.locator("#side").get_by_role("tab", name="Operators").click()
    row = mlp.get_by_role("row", name=re.compile(r"aten\.linear\.default"))
    expect(row.locator(".number")).to_have_text("3")
    row.get_by_role("button").click()
    expect(heading(mlp)).to_have_text("3 nodes selected")


def test_the_outline_is_walked_by_keys(mlp: Page) -> None:
    mlp.get_by_role("tab", name="Outline").click()
    tree = mlp.get_by_role("tree")
    group = tree.locator('[role="treeitem"][aria-expanded]').first
    group.locator(".outline-line").click()
    expect(details(mlp)).to_contain_text("By operator")
    mlp.keyboard.press("ArrowRight")
    expect(group).to_have_attribute("aria-expanded", "true")
    for _ in range(8):  # opens, goes in, and stays on the first node it meets
        mlp.keyboard.press("ArrowRight")
    mlp.keyboard.press("Enter")
    chosen = tree.locator('[role="treeitem"][data-node][aria-selected="true"]')
    expect(chosen).to_have_count(1)
    expect(heading(mlp)).to_have_text(chosen.locator(".cut").first.text_content() or "")


def test_the_two_prints(mlp: Page) -> None:
    mlp.get_by_role("tab", name="Text").click()
    expect(mlp.locator(".text-line").first).to_have_text("graph():")
    mlp.get_by_role("button", name="print_readable()").click()
    expect(mlp.locator(".text-line", has_text="torch.ops.aten.linear.default")).not_to_have_count(0)
    mlp.locator(".text-line.has-node", has_text="torch.ops.aten.linear.default").first.click()
    expect(heading(mlp)).to_have_text(re.compile("linear"))


def test_search_walks_its_results(mlp: Page) -> None:
    mlp.locator(".graph-canvas").focus()
    mlp.keyboard.press("/")
    mlp.keyboard.type("linear.default")
    expect(mlp.locator(".search-said")).to_have_text("3 found")
    names = mlp.get_by_role("option").locator(".hit-name").all_text_contents()
    assert len(names) == 3
    mlp.keyboard.press("ArrowDown")
    expect(mlp.locator(".search-said")).to_have_text("1 of 3")
    expect(heading(mlp)).to_have_text(names[0])
    mlp.keyboard.press("Enter")
    expect(heading(mlp)).to_have_text(names[1])
    mlp.keyboard.press("Shift+Enter")
    mlp.keyboard.press("Shift+Enter")
    expect(heading(mlp)).to_have_text(names[2])
    mlp.keyboard.press("Escape")
    expect(mlp.locator(".graph-canvas")).to_be_focused()
    expect(mlp.get_by_role("combobox", name=re.compile("^Search"))).to_have_value("linear.default")


def test_search_finds_types_and_modules_and_says_when_nothing_fits(mlp: Page) -> None:
    box = mlp.get_by_role("combobox", name=re.compile("^Search"))
    box.fill("f32[")
    expect(mlp.locator(".search-said")).to_have_text(re.compile(r"^[1-9]\d* found$"))
    box.fill("there is no such thing")
    expect(mlp.locator(".search-list")).to_contain_text("Nothing of that name")


def test_keys_change_stage_open_help_and_clear(mlp: Page) -> None:
    mlp.keyboard.press("5")
    expect(rail(mlp, "Joint")).to_have_attribute("aria-current", "step")
    mlp.keyboard.press("?")
    expect(mlp.get_by_role("dialog")).to_contain_text("search in the graph")
    mlp.keyboard.press("Escape")
    expect(mlp.get_by_role("dialog")).to_have_count(0)
    mlp.locator("#side").get_by_role("tab", name="Operators").click()
    mlp.locator(".op-name").first.click()
    assert "s=joint.0" in mlp.url
    mlp.keyboard.press("Escape")
    expect(mlp).not_to_have_url(re.compile("s=joint"))


def test_two_panes_and_what_is_beside_what(mlp: Page) -> None:
    rail(mlp, "Forward").click()
    mlp.get_by_role("button", name="Show a second graph beside this one").click()
    expect(mlp.get_by_role("region", name="Graph backward.0")).to_be_visible()
    expect(mlp.locator(".graph-canvas")).to_have_count(2)
    mlp.get_by_role("region", name="Graph backward.0").get_by_label("Graph in this pane").select_option("joint.0")
    expect(mlp.get_by_role("region", name="Graph joint.0")).to_be_visible()
    mlp.get_by_role("button", name="Close this pane").first.click()
    expect(mlp.locator(".graph-canvas")).to_have_count(1)
    expect(mlp.get_by_role("region", name="Graph joint.0")).to_be_visible()


def test_the_legend_counts_and_selects(mlp: Page) -> None:
    mlp.get_by_role("button", name="Colours").click()
    row = mlp.locator(".legend-row", has_text="matmul")
    expect(row).to_contain_text("3")
    mlp.get_by_role("button", name="Select these 3: matmul").click()
    expect(heading(mlp)).to_have_text("3 nodes selected")


def test_exports(mlp: Page) -> None:
    menu = mlp.get_by_title("Export this graph")
    menu.click()
    with mlp.expect_download() as text:
        mlp.get_by_role("link", name="Text").click()
    assert text.value.path().read_text().startswith("graph():")
    with mlp.expect_download() as nodes:
        mlp.get_by_role("link", name="JSON").click()
    assert "edges" in json.loads(nodes.value.path().read_text())


def test_breaks_stand_between_fragments_and_lead_to_their_details(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('08_graph_breaks')}#v1?p=dynamo.0")
    line = page.get_by_role("region", name="Fragments of this stage")
    expect(line.get_by_role("button")).to_contain_text(["Fragment 1", "line", "Fragment 2", "line", "Fragment 3"])
    line.locator(".break").first.click()
    pointed = page.locator(".break-row.is-pointed")
    expect(pointed).to_contain_text("print")
    pointed.get_by_role("button", name="fragment 2").click()
    expect(page.get_by_role("region", name="Graph dynamo.1")).to_be_visible()
    expect(line.locator('.fragment[aria-current="true"]')).to_contain_text("Fragment 2")
    pointed.get_by_role("button", name=re.compile(r"08_graph_breaks\.py:\d+")).first.click()
    expect(page.locator(".code-place .lit")).to_contain_text("print(")
    page.get_by_role("searchbox", name="Filter the breaks").fill("no break says this")
    expect(page.locator(".break-row:visible")).to_have_count(0)


def test_the_counts_of_a_stage_with_breaks_are_not_cut(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('08_graph_breaks')}")
    counts = page.locator('[data-counts="dynamo"]')
    expect(counts).to_have_text("13 nodes · 3 graphs")
    assert counts.evaluate("counts => counts.scrollWidth <= counts.clientWidth")
    expect(rail(page, "Dynamo")).to_contain_text("2 graph breaks")


def test_guards_are_listed_and_filtered(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=dynamo.0")
    page.get_by_role("tab", name="Guards").click()
    rows = page.locator(".guards tbody tr:visible")
    expect(rows).not_to_have_count(0)
    page.get_by_role("searchbox", name="Filter the guards").fill("TENSOR_MATCH")
    for row in rows.all():
        expect(row).to_contain_text("TENSOR_MATCH")


def test_a_failed_stage_explains_itself_and_hides_nothing_else(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('09_export_refuses')}")
    expect(page.locator(".graph-canvas")).to_be_visible()
    rail(page, "Export").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text("Export failed")
    for attempt in ("non-strict", "strict", "draft"):
        expect(main.locator(".failure-how", has_text=re.compile(f"^{attempt}$"))).to_be_visible()
    main.get_by_role("button", name=re.compile(r"09_export_refuses\.py:\d+")).first.click()
    expect(page.locator(".code-place .lit")).to_contain_text("if y.abs().max() > 1:")
    expect(rail(page, "Dynamo")).to_contain_text("break")
    rail(page, "Dynamo").click()
    expect(page.locator(".graph-canvas")).to_be_visible()


def test_bodies_are_entered_and_left(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('07_cond')}#v1?p=export.0&s=export.0:cond")
    details(page).get_by_role("button", name="Open true_graph_0").click()
    expect(page.get_by_role("region", name="Graph export.0/true_graph_0")).to_be_visible()
    page.get_by_role("navigation", name="Enclosing graphs").get_by_role("button").first.click()
    expect(page.get_by_role("region", name="Graph export.0", exact=True)).to_be_visible()


def test_panel_sizes_are_dragged_and_remembered(mlp: Page) -> None:
    bar = mlp.get_by_role("separator", name="Width of the left side")
    width = int(bar.get_attribute("aria-valuenow") or "")
    box = bar.bounding_box()
    assert box is not None
    mlp.mouse.move(box["x"] + 2, box["y"] + 200)
    mlp.mouse.down()
    mlp.mouse.move(box["x"] - 58, box["y"] + 200, steps=3)
    mlp.mouse.up()
    expect(bar).to_have_attribute("aria-valuenow", str(width - 60))
    bar.press("ArrowRight")
    expect(bar).to_have_attribute("aria-valuenow", str(width - 36))
    mlp.reload()
    expect(bar).to_have_attribute("aria-valuenow", str(width - 36))


def test_a_phone_shows_one_sheet_at_a_time(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=export.0", viewport={"width": 390, "height": 844})
    expect(page.locator(".graph-canvas")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Source").click()
    expect(page.locator("#side")).to_be_visible()
    page.get_by_role("button", name="Breaks & output").click()
    expect(page.locator("#drawer")).to_be_visible()
    expect(page.locator("#side")).to_be_hidden()
    expect(page.locator(".graph-canvas")).to_be_visible()
    page.get_by_role("button", name="Graph", exact=True).click()
    expect(page.locator("#drawer")).to_be_hidden()


def test_a_node_tapped_on_a_phone_stays_in_sight_of_its_details(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('08_graph_breaks')}#v1?p=eager.0", viewport={"width": 390, "height": 844})
    canvas = page.locator(".graph-canvas")
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    assert box is not None
    for y in range(int(box["height"]) - 20, 0, -15):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + y)
        if details(page).is_visible() and details(page).locator(".node-kind").count():
            break
    name = heading(page).text_content() or ""
    let_pass(page, 500)
    half = canvas.bounding_box()
    assert half is not None and half["height"] < box["height"] * 0.7
    page.mouse.click(half["x"] + half["width"] / 2, half["y"] + half["height"] / 2)
    let_pass(page, 300)
    expect(heading(page)).to_have_text(name)
