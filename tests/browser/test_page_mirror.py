"""The mirror: forward and backward side by side, what is saved between them, and both partitioners compared."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.looking_at import let_pass, settled

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]

BRIDGE = {"light": (230, 183, 105), "dark": (156, 110, 45)}
"""The colour of a bridge at rest that carries an activation: 0.62 of `--hue-2` on the canvas's ground."""

FIND_COLOUR = """(canvas, wanted) => {
  const context = canvas.getContext('2d');
  const { width, height } = canvas;
  const data = context.getImageData(0, 0, width, height).data;
  const ratio = width / canvas.clientWidth;
  const found = [];
  for (let y = 0; y < height; y++)
    for (let x = Math.floor(width * 0.3); x < width * 0.7; x++) {
      const at = 4 * (y * width + x);
      if (wanted.every((value, i) => Math.abs(data[at + i] - value) < 26)) found.push([x / ratio, y / ratio]);
    }
  return found;
}"""


def answer(served: str, id: str, gid: str = "forward.0") -> Any:
    return json.load(urllib.request.urlopen(f"{served}/api/captures/{id}/mirror/{gid}"))


def mirror(page: Page, show: str = "mirror.0") -> Locator:
    return page.get_by_role("region", name=f"Mirror {show}", exact=True)


def strip(page: Page) -> Locator:
    return page.get_by_role("region", name="What is saved between them")


def details(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Details of the selection")


def open_mirror(visit: Visit, id: str, rest: str = "", **options: Any) -> Page:
    page = visit(f"/c/{id}#v1?p=mirror.0{rest}", **options)
    expect(strip(page)).to_be_visible()
    expect(page.locator(".graph-canvas")).to_be_visible()
    let_pass(page, 400)
    return page


def bridge_points(page: Page, theme: str = "light") -> list[list[float]]:
    """Where on the canvas an activation's bridge is drawn, in CSS pixels."""
    found: list[list[float]] = page.locator(".graph-canvas").evaluate(FIND_COLOUR, list(BRIDGE[theme]))
    return found


def words_of(totals: dict[str, int]) -> list[str]:
    return [f"in {totals['saved']} tensors", f"Recomputed{totals['recomputed']}", f"Gradients{totals['gradients']}"]


def test_the_rail_leads_to_it_and_its_totals_are_those_of_the_answer(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("04_gpt")
    page = visit(f"/c/{id}")
    page.get_by_role("navigation", name="Stages").get_by_role("button", name=re.compile("^Mirror")).click()
    expect(mirror(page)).to_be_visible()
    for words in words_of(answer(served, id)["cut"]["totals"]):
        expect(strip(page)).to_contain_text(words)
    expect(strip(page).get_by_role("button", name=re.compile("Forward .* nodes"))).to_be_visible()
    expect(strip(page).get_by_role("button", name=re.compile("Backward .* nodes"))).to_be_visible()
    assert bridge_points(page)
    page.keyboard.press("6")
    expect(page.get_by_role("region", name="Graph forward.0")).to_be_visible()
    expect(strip(page)).to_be_hidden()
    page.keyboard.press("8")
    expect(mirror(page)).to_be_visible()


@pytest.mark.parametrize("gid", ["forward.0", "backward.0"])
def test_a_forward_and_a_backward_lead_to_it(visit: Visit, captured: Captured, gid: str) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p={gid}")
    page.get_by_role("region", name=f"Graph {gid}").get_by_role("button", name=re.compile("^Mirror")).click()
    expect(mirror(page)).to_be_visible()
    expect(strip(page)).to_contain_text("Saved")


def test_a_bridge_is_chosen_on_the_canvas(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("04_gpt")
    page = open_mirror(visit, id)
    x, y = bridge_points(page)[0]
    page.locator(".graph-canvas").hover(position={"x": x, "y": y})
    expect(page.locator(".graph-tooltip")).to_contain_text(re.compile(r"\d (B|KiB)"))
    page.locator(".graph-canvas").click(position={"x": x, "y": y})
    expect(page).to_have_url(re.compile(r"s=forward\.0:"))
    saved = {each["name"]: each for each in answer(served, id)["cut"]["saved"]}
    names = re.search(r"s=forward\.0:([\w~,]+)", settled(page))
    assert names is not None
    name = names[1].split(",")[0].split("~")[0]
    assert name in saved
    if names[1] == name:
        expect(details(page)).to_contain_text("Saved for the backward")


def test_a_saved_tensor_says_who_keeps_it_who_reads_it_and_why(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("04_gpt")
    found = answer(served, id)
    saved = next(
        each for each in found["cut"]["saved"] if each["kind"] == "call" and each["said"] and len(each["readers"]) == 1
    )
    page = open_mirror(visit, id, "&d=saved")
    drawer = page.get_by_role("tabpanel", name="Saved")
    drawer.get_by_role("searchbox", name="Filter the saved tensors").fill(saved["name"])
    drawer.get_by_role("button", name=f"Select {saved['name']}", exact=True).or_(
        drawer.get_by_role("button", name=saved["name"], exact=True)
    ).first.click()
    expect(page).to_have_url(re.compile(rf"s=forward\.0:{saved['name']}"))
    part = details(page).locator(".mirror-part")
    expect(part).to_contain_text("Saved for the backward")
    expect(part).to_contain_text(f"“{saved['said']}”")
    columns = json.load(urllib.request.urlopen(f"{served}/api/captures/{id}/graphs/backward.0"))
    reader = columns["nodes"]["name"][saved["readers"][0]]
    part.get_by_role("button", name=reader, exact=True).click()
    expect(page).to_have_url(re.compile(rf"s=backward\.0:{reader}"))
    expect(details(page)).to_contain_text(re.compile(r"Reads \d+ saved"))


def test_modules_open_in_both_halves_and_the_link_shows_the_same(visit: Visit, captured: Captured) -> None:
    id = captured("04_gpt")
    first = open_mirror(visit, id)
    mirror(first).get_by_role("button", name="Close all groups").click()
    expect(first).to_have_url(re.compile(r"x=\*"))
    let_pass(first, 500)
    canvas = first.locator(".graph-canvas")
    canvas.focus()
    for _ in range(3):
        first.keyboard.press("ArrowDown")
    first.keyboard.press("Enter")
    expect(first).to_have_url(re.compile(r"o=[\w.]+&x=\*"))
    link = settled(first)
    assert "backward:" not in link, "a pair has one name"
    second = visit(f"/c/{id}{link}", viewport={"width": 1200, "height": 800})
    expect(strip(second)).to_be_visible()
    assert settled(second) == link


def test_arrows_lead_across_the_bridges_and_up_the_backward(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("04_gpt")
    found = answer(served, id)
    saved = next(each for each in found["cut"]["saved"] if each["module"] == "blocks.0.norm1" and each["kind"] == "call")
    page = open_mirror(visit, id, f"&s=forward.0:{saved['name']}")
    page.locator(".graph-canvas").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"s=backward\.0:"))
    page.keyboard.press("ArrowUp")
    let_pass(page, 300)
    name = re.search(r"s=backward\.0:(\w+)", settled(page))
    assert name is not None
    columns = json.load(urllib.request.urlopen(f"{served}/api/captures/{id}/graphs/backward.0"))
    node = columns["nodes"]["name"].index(name[1])
    assert columns["nodes"]["op"][node] == 2, "up from a saved tensor lies the call that reads it"
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("s=backward"))


def test_partitioners_are_compared_in_the_mirror_and_as_a_table(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("11_checkpointing")
    found = answer(served, id)
    assert found["other"] is not None
    page = open_mirror(visit, id)
    strip(page).get_by_role("button", name="Compare with default").click()
    expect(page).to_have_url(re.compile(r"p=mirror\.0\.compared"))
    for cut in (found["cut"], found["other"]):
        expect(strip(page)).to_contain_text(f"in {cut['totals']['saved']} tensors")
    strip(page).get_by_role("button", name="Table").click()
    table = page.get_by_role("tabpanel", name="Saved").locator(".mirror-compared")
    expect(table.locator("tbody tr")).to_have_count(len(found["difference"]))
    sums = page.get_by_role("tabpanel", name="Saved").locator(".mirror-sums")
    expect(sums.get_by_role("row", name=re.compile("^Recomputed"))).to_contain_text(
        f"{found['cut']['totals']['recomputed']}{found['other']['totals']['recomputed']}"
    )
    page.go_back()
    expect(page).not_to_have_url(re.compile("compared"))
    expect(strip(page).get_by_role("button", name="Compare with default")).to_have_attribute("aria-pressed", "false")


def test_every_fragment_has_its_own(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("08_graph_breaks")
    page = open_mirror(visit, id)
    page.get_by_role("button", name="Fragment 3").click()
    expect(mirror(page, "mirror.2")).to_be_visible()
    saved = answer(served, id, "forward.2")["cut"]["totals"]["saved"]
    expect(strip(page)).to_contain_text(f"in {saved} tensors")
    expect(page.get_by_role("button", name="Fragment 2")).to_have_count(0)


def test_without_a_backward_the_reason_stands_there(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('01_sin')}#v1?p=mirror.0")
    expect(page.get_by_role("heading", name="There is no backward to mirror")).to_be_visible()
    expect(page.locator(".explain")).to_contain_text("Nothing requires grad, so there is no backward.")
    expect(page.get_by_role("navigation", name="Stages").get_by_role("button", name=re.compile("^Mirror"))).to_have_count(0)
    page.get_by_role("button", name="Show the forward graph").click()
    expect(page.get_by_role("region", name="Graph forward.0")).to_be_visible()


def test_on_a_phone_both_halves_can_be_reached(visit: Visit, captured: Captured) -> None:
    page = open_mirror(visit, captured("04_gpt"), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    box = page.locator(".graph-canvas").bounding_box()
    assert box is not None and box["height"] > 300
    strip(page).get_by_role("button", name=re.compile("Backward")).click()
    right = settled(page)
    strip(page).get_by_role("button", name=re.compile("Forward")).click()
    assert settled(page) != right


def test_dark_has_its_own_colours(visit: Visit, captured: Captured) -> None:
    page = open_mirror(visit, captured("04_gpt"), color_scheme="dark")
    assert bridge_points(page, "dark")


def test_the_drawing_is_written_as_svg_with_its_bridges(visit: Visit, captured: Captured) -> None:
    page = open_mirror(visit, captured("04_gpt"), "&x=*")
    mirror(page).locator("summary", has_text="Export").click()
    page.get_by_role("button", name="Picture…").click()
    page.get_by_label("SVG", exact=True).check()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
    text = download.value.path().read_text()
    assert "16 KiB" in text
    assert "saved ·" in text
    assert 'stroke="#de9212"' in text
