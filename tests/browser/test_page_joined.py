"""One node followed through every stage: its kin in panes, source, text and details."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.looking_at import api, details, let_pass, nodes, open_view, pane, settled, still

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]


def kin_of(served: str, id: str, a: str, name: str, b: str) -> tuple[set[int], set[int]]:
    """The kin of a node by the API itself: exact, and by line only."""
    links = api(served, f"{id}/links/{a}/{b}")
    node = api(served, f"{id}/graphs/{a}")["nodes"]["name"].index(name)
    exact = {j for i, j, _ in links["exact"] if i == node}
    return exact, {j for i, j in links["line"] if i == node} - exact


def test_a_selection_counts_its_kin_in_every_pane_and_in_the_details(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("02_mlp")
    page = open_view(visit, f"/c/{id}#v1?p=export.0&p=core_aten.0&p=backward.0&s=export.0:linear", 3)
    exact, _ = kin_of(served, id, "export.0", "linear", "core_aten.0")
    assert len(exact) > 1
    head = pane(page, "core_aten.0").locator(".pane-kin")
    expect(head).to_have_text(f"1→{nodes(len(exact))}")
    expect(head).to_have_class(re.compile("is-exact"))
    row = details(page).locator(".kin-item", has_text="Core ATen")
    expect(row).to_contain_text(nodes(len(exact)))
    expect(row).to_contain_text("by from_node")
    _, line = kin_of(served, id, "export.0", "linear", "backward.0")
    expect(pane(page, "backward.0").locator(".pane-kin")).to_have_text(f"1⇢{nodes(len(line))}")
    expect(details(page).locator(".kin-item", has_text="Backward")).to_contain_text(f"{nodes(len(line))} by line")
    expect(page.locator("#live")).to_contain_text(f"Kin: Core ATen {nodes(len(exact))}")


def test_kin_are_opened_and_selected_from_the_details(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("02_mlp")
    page = open_view(visit, f"/c/{id}#v1?p=export.0&s=export.0:linear", 1)
    exact, _ = kin_of(served, id, "export.0", "linear", "core_aten.0")
    row = details(page).locator(".kin-item", has_text="Core ATen")
    row.get_by_role("button", name="Show core_aten.0 beside this graph").click()
    expect(page.locator(".graph-canvas")).to_have_count(2)
    expect(details(page).get_by_role("heading", level=2)).to_have_text("linear")
    expect(row.get_by_role("button", name="Show core_aten.0")).to_have_count(0)
    names = api(served, f"{id}/graphs/core_aten.0")["nodes"]["name"]
    expect(row.locator(".kin-names")).to_contain_text(names[min(exact)])
    row.get_by_role("button", name=re.compile("^Core ATen")).click()
    expect(details(page).get_by_role("heading", level=2)).to_have_text(f"{len(exact)} nodes selected")
    expect(page).to_have_url(re.compile("s=core_aten.0:"))
    expect(pane(page, "export.0").locator(".pane-kin")).to_have_text(f"{len(exact)}→1 node")


def test_links_are_asked_for_once_and_stand_in_by_the_source_line_until_then(visit: Visit, captured: Captured) -> None:
    page = visit("/")
    held: list[Route] = []
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/links/" in request.url else None)
    page.route("**/links/**", lambda route: held.append(route) if "core_aten" in route.request.url else route.continue_())
    with page.expect_request(re.compile("/links/.*core_aten")):
        page.goto(f"/c/{captured('02_mlp')}#v1?p=export.0&p=core_aten.0&s=export.0:linear")
    head = pane(page, "core_aten.0").locator(".pane-kin")
    expect(head).to_have_class(re.compile("is-line"))
    expect(head).to_have_attribute("title", re.compile("^Looking for what torch recorded"))
    held.pop().continue_()
    page.unroute("**/links/**")
    expect(head).to_have_class(re.compile("is-exact"))
    page.get_by_role("tab", name="Text").click()
    for other in ("gelu", "linear_1"):
        page.locator(".text-line", has_text=re.compile(rf"%{other} :")).click()
        expect(details(page).get_by_role("heading", level=2)).to_have_text(other)
    let_pass(page, 500)
    pairs = [re.sub(r"^.*/links/", "", url) for url in asked]
    assert len(pairs) == len(set(pairs)), pairs


def test_without_links_the_page_says_so_and_goes_by_the_line(visit: Visit, captured: Captured) -> None:
    page = visit("/", expect="500|Failed to load")
    page.route("**/links/**", lambda route: route.fulfill(status=500, body="{}"))
    page.goto(f"/c/{captured('02_mlp')}#v1?p=export.0&p=core_aten.0&s=export.0:linear")
    head = pane(page, "core_aten.0").locator(".pane-kin")
    expect(head).to_have_attribute("title", re.compile("^The links could not be fetched"))
    expect(head).to_have_class(re.compile("is-line"))
    expect(details(page).locator(".kin-item", has_text="Core ATen")).to_contain_text("not known")


def test_kin_out_of_sight_are_offered_and_brought_into_view(visit: Visit, captured: Captured) -> None:
    page = open_view(visit, f"/c/{captured('04_gpt')}#v1?p=export.0&p=core_aten.0&a=1")
    page.get_by_role("combobox", name=re.compile("^Search")).fill("cross")
    page.locator("#side").get_by_role("tab", name="Operators").click()
    before = settled(page)
    pane(page, "export.0").locator(".graph-picker").focus()
    page.locator(".op-name", has_text="cross_entropy").click()
    head = pane(page, "core_aten.0").locator(".pane-kin")
    expect(head).to_have_class(re.compile("is-exact is-away"))
    assert (
        settled(page).partition("core_aten")[2].partition("&s=")[0] == before.partition("core_aten")[2].partition("&a=")[0]
    ), "the other pane does not jump"
    head.click()
    expect(head).not_to_have_class(re.compile("is-away"))
    expect(head).to_have_attribute("title", re.compile("^Bring"))


def test_the_text_of_another_graph_lights_kin_and_scrolls_to_them(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("04_gpt")
    page = open_view(visit, f"/c/{id}#v1?p=export.0&p=core_aten.0&a=1&t=text&s=export.0:cross_entropy_loss")
    exact, _ = kin_of(served, id, "export.0", "cross_entropy_loss", "core_aten.0")
    expect(page.locator(".text-line.lit-exact")).to_have_count(len(exact))
    expect(page.locator(".text-line.lit-exact").first).to_be_in_viewport()
    assert page.locator(".text-line.lit").count() == 0


def test_source_lines_are_chosen_by_dragging_in_text_and_gutter_and_by_keys(
    served: str, visit: Visit, captured: Captured
) -> None:
    id = captured("04_gpt")
    page = open_view(visit, f"/c/{id}#v1?p=export.0&p=core_aten.0&a=0")
    graph = api(served, f"{id}/graphs/export.0")
    lines = [number for _, number in graph["lines"]]
    owned = [lines[at] if at >= 0 else -1 for at in graph["nodes"]["line"]]
    heading = details(page).get_by_role("heading", level=2)

    def said(first: int, last: int) -> str:
        return f"{sum(first <= line <= last for line in owned)} nodes selected"

    code = page.locator(".code-place .cm-line")
    first, last = code.nth(21).bounding_box(), code.nth(23).bounding_box()
    assert first is not None and last is not None
    page.mouse.move(first["x"] + 60, first["y"] + 8)
    page.mouse.down()
    page.mouse.move(first["x"] + 120, last["y"] + 8, steps=4)
    page.mouse.up()
    expect(heading).to_have_text(said(22, 24))
    expect(page.locator(".code-place .cm-line.lit")).to_have_count(3)
    expect(pane(page, "core_aten.0").locator(".pane-kin")).to_have_class(re.compile("is-exact"))

    numbers = page.locator(".code-place .cm-lineNumbers .cm-gutterElement")
    numbers.filter(has_text=re.compile("^36$")).hover()
    page.mouse.down()
    numbers.filter(has_text=re.compile("^37$")).hover()
    page.mouse.up()
    expect(heading).to_have_text(said(36, 37))

    code.nth(21).click(position={"x": 200, "y": 8})
    expect(heading).to_have_text(said(22, 22))
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Enter")
    expect(heading).to_have_text(said(22, 24))
    expect(page.locator("#live")).to_have_text(re.compile(r"lines 22 to 24|^Kin"))


def test_pointing_previews_without_moving_anything(visit: Visit, captured: Captured) -> None:
    page = open_view(visit, f"/c/{captured('02_mlp')}#v1?p=export.0&p=core_aten.0&t=text")
    canvas = pane(page, "core_aten.0").locator(".graph-canvas")
    before = settled(page)
    plain = still(canvas)
    page.locator(".text-line", has_text=re.compile(r"%linear_1 :")).hover()
    expect(page.locator(".text-line.lit-near")).to_have_count(1)
    lit = still(canvas, after=plain)
    page.get_by_role("tab", name="Text").hover()
    expect(page.locator(".text-line.lit-near")).to_have_count(0)
    assert still(canvas, after=lit) == plain
    assert settled(page) == before


def cameras(page: Page) -> list[tuple[float, float, float]]:
    found = [tuple(float(part) for part in each.split(",")) for each in re.findall(r"[?&]c=([^&]*)", settled(page))]
    return [(x, y, k) for x, y, k in found]


def test_locked_panes_move_together_and_the_link_keeps_three_of_them(visit: Visit, captured: Captured) -> None:
    id = captured("04_gpt")
    page = open_view(visit, f"/c/{id}#v1?p=export.0", 1)
    page.get_by_role("button", name="Show a second graph beside this one").click()
    page.locator(".pane").last.get_by_title("More").click()
    page.get_by_role("button", name="Show a third graph beside this one").click()
    expect(page.locator(".graph-canvas")).to_have_count(3)
    expect(page.get_by_role("button", name=re.compile("graph beside this one$"))).to_have_count(0)
    lock = page.get_by_role("button", name="Pan and zoom the panes together")
    expect(lock).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("l")
    expect(lock).to_have_attribute("aria-pressed", "true")
    canvas = page.locator(".graph-canvas").nth(1)
    canvas.hover(position={"x": 100, "y": 300})
    page.mouse.wheel(0, -200)
    let_pass(page, 400)
    zoomed = cameras(page)
    assert len(zoomed) == 3
    page.mouse.down()
    page.mouse.move(*[part - 60 for part in middle(canvas)], steps=4)
    page.mouse.up()
    let_pass(page, 400)
    moved = cameras(page)
    assert all(a[1] != b[1] for a, b in zip(zoomed, moved, strict=True)) and [k for *_, k in moved] == [
        k for *_, k in zoomed
    ]
    link = settled(page)
    assert link.count("p=") == 3 and link.endswith("&l=1")
    second = open_view(visit, f"/c/{id}{link}", 3)
    expect(second.get_by_role("button", name="Pan and zoom the panes together")).to_have_attribute("aria-pressed", "true")
    assert settled(second) == link
    second.get_by_role("button", name="Close this pane").first.click()
    expect(second.locator(".graph-canvas")).to_have_count(2)


def test_locked_panes_look_at_kin_though_their_graphs_differ_in_length(visit: Visit, captured: Captured) -> None:
    id = captured("04_gpt")
    page = open_view(visit, f"/c/{id}#v1?p=export.0&p=core_aten.0&c=0,400,1&c=0,400,1&l=1", 2)
    to_the_end(page, 0)
    followed = cameras(page)[1]
    page.keyboard.press("l")
    to_the_end(page, 1)
    end = cameras(page)[1]
    assert end[1] > 4000 and abs(followed[1] - end[1]) < 40, (followed, end)


def to_the_end(page: Page, pane: int) -> None:
    """Drags upwards until the bottom of the graph is in the middle."""
    x, y = middle(page.locator(".graph-canvas").nth(pane))
    before = None
    while (now := cameras(page)[pane]) != before:
        before = now
        for _ in range(4):
            page.mouse.move(x, y + 200)
            page.mouse.down()
            page.mouse.move(x, y - 250, steps=3)
            page.mouse.up()
        let_pass(page, 700)


def middle(canvas: Locator) -> tuple[float, float]:
    box = canvas.bounding_box()
    assert box is not None
    return box["x"] + 100, box["y"] + 300


def test_a_selected_group_and_a_row_of_operators_have_kin(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("02_mlp")
    page = open_view(visit, f"/c/{id}#v1?p=export.0&p=core_aten.0&s=export.0:&g=layers.0")
    graph = api(served, f"{id}/graphs/export.0")
    exact = api(served, f"{id}/links/export.0/core_aten.0")["exact"]
    group = next(i for i, module in enumerate(graph["modules"]) if module["path"] == "layers.0")
    inside = {i for i, own in enumerate(graph["nodes"]["group"]) if own == group}
    kin = {j for i, j, _ in exact if i in inside}
    head = pane(page, "core_aten.0").locator(".pane-kin")
    expect(head).to_have_text(f"{len(inside)}→{nodes(len(kin))}")
    page.locator("#side").get_by_role("tab", name="Operators").click()
    page.locator(".op-name", has_text="gelu").click()
    gelus = {i for i, name in enumerate(graph["nodes"]["name"]) if name.startswith("gelu")}
    expect(head).to_have_text(f"{len(gelus)}→{nodes(len({j for i, j, _ in exact if i in gelus}))}")


def test_a_phone_shows_one_pane_and_leads_to_the_others(visit: Visit, captured: Captured) -> None:
    page = visit(
        f"/c/{captured('02_mlp')}#v1?p=export.0&p=core_aten.0&p=joint.0&s=export.0:linear",
        viewport={"width": 390, "height": 844},
    )
    expect(pane(page, "export.0").locator(".graph-canvas")).to_be_visible()
    expect(pane(page, "core_aten.0")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("group", name="Panes").get_by_role("button", name="Core ATen").click()
    expect(pane(page, "core_aten.0").locator(".graph-canvas")).to_be_visible()
    expect(pane(page, "core_aten.0").locator(".pane-kin")).to_have_class(re.compile("is-exact"))
    expect(pane(page, "export.0")).to_be_hidden()
    pane(page, "core_aten.0").locator(".pane-kin").click()
    expect(pane(page, "core_aten.0").locator(".pane-kin")).not_to_have_class(re.compile("is-away"))
    page.get_by_role("button", name="Details", exact=True).click()
    expect(details(page).locator(".kin-item", has_text="Core ATen")).to_be_visible()


def test_keys_bring_kin_into_view(visit: Visit, captured: Captured) -> None:
    page = open_view(visit, f"/c/{captured('04_gpt')}#v1?p=export.0&p=core_aten.0&c=400,300,1&s=export.0:cross_entropy_loss")
    head = pane(page, "core_aten.0").locator(".pane-kin")
    expect(head).to_have_class(re.compile("is-away"))
    page.locator("body").press("k")
    expect(head).not_to_have_class(re.compile("is-away"))
