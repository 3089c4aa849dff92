"""What leaves the page: pictures, paper, frames in other pages, the file with everything, the outline without JavaScript."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit

Captured = Callable[[str], str]


def drawn(page: Page, gid: str) -> None:
    expect(page.get_by_role("region", name=f"Graph {gid}")).to_be_visible()
    expect(page.locator("canvas.graph-canvas")).to_have_attribute("aria-label", re.compile("^Graph "))


def open_menu(page: Page) -> None:
    """In a narrow pane it stands behind More."""
    menu = page.locator(".exports summary").first
    if not menu.is_visible():
        page.get_by_title("More").first.click()
    menu.click()


def save_picture(page: Page, to: Path) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
    download.value.save_as(to)
    return to.read_bytes()


# --------------------------------------------------------------------------------------------------------------- pictures


@pytest.fixture
def dialog(visit: Visit, captured: Captured) -> Page:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=export.0")
    drawn(page, "export.0")
    open_menu(page)
    page.get_by_role("button", name="Picture…").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def test_a_png_is_as_wide_as_was_asked_and_has_the_drawing_s_proportions(dialog: Page, tmp_path: Path) -> None:
    first = struct.unpack(">II", save_picture(dialog, tmp_path / "a.png")[16:24])
    open_menu(dialog)
    dialog.get_by_role("button", name="Picture…").click()
    dialog.locator("#picture-width").fill("5,000")
    expect(dialog.locator("#picture-size")).to_contain_text("megapixels")
    second = struct.unpack(">II", save_picture(dialog, tmp_path / "b.png")[16:24])
    assert second[0] == 5000
    assert second[0] * first[1] / first[0] == pytest.approx(second[1], abs=10)


def test_a_png_that_nobody_can_open_is_refused(dialog: Page) -> None:
    dialog.locator("#picture-width").fill("999999")
    expect(dialog.locator("#picture-size")).to_contain_text("at most 1,000")
    expect(dialog.get_by_role("dialog").get_by_role("button", name="Save")).to_be_disabled()
    dialog.locator("#picture-width").fill("wide")
    expect(dialog.locator("#picture-size")).to_have_text("a number, please")
    dialog.get_by_role("dialog").get_by_role("button", name="2×", exact=True).click()
    expect(dialog.get_by_role("dialog").get_by_role("button", name="Save")).to_be_enabled()
    dialog.keyboard.press("Escape")
    expect(dialog.get_by_role("dialog")).to_have_count(0)


def test_an_svg_has_the_colours_that_were_chosen(dialog: Page, tmp_path: Path) -> None:
    dialog.get_by_label("SVG", exact=True).check()
    dialog.get_by_label("Dark", exact=True).check()
    expect(dialog.locator("#picture-width")).to_be_hidden()
    text = save_picture(dialog, tmp_path / "a.svg").decode()
    ground = re.search(r'<rect x="[^"]+" y="[^"]+" width="[^"]+" height="[^"]+" fill="#(\w\w)', text)
    assert ground is not None and int(ground[1], 16) < 64
    assert "linear" in text and "<title>" in text
    assert dialog.evaluate("document.documentElement.dataset.theme") == "light"


def test_what_is_in_sight_is_smaller_than_the_whole(dialog: Page) -> None:
    whole = dialog.locator("#picture-width").input_value()
    dialog.get_by_label("What is in sight").check()
    assert dialog.locator("#picture-width").input_value() != whole
    box = dialog.locator("canvas.graph-canvas").bounding_box()
    assert box is not None
    assert int(dialog.locator("#picture-width").input_value()) == 2 * round(box["width"])


def test_an_image_is_copied(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('01_sin')}#v1?p=export.0", permissions=["clipboard-read", "clipboard-write"])
    drawn(page, "export.0")
    open_menu(page)
    page.get_by_role("button", name="Picture…").click()
    page.get_by_role("button", name="Copy image").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("async () => (await navigator.clipboard.read())[0].types") == ["image/png"]


# ------------------------------------------------------------------------------------------------------------------ paper


def test_paper_has_the_drawing_as_vectors_in_the_light_theme_and_the_page_comes_back(
    visit: Visit, captured: Captured
) -> None:
    page = visit(f"/c/{captured('04_gpt')}#v1?p=export.0&p=core_aten.0&s=export.0:layer_norm", color_scheme="dark")
    for gid in ("export.0", "core_aten.0"):
        expect(page.get_by_role("region", name=f"Graph {gid}").locator("canvas.graph-canvas")).to_have_attribute(
            "aria-label", re.compile("nodes")
        )
    expect(page.locator("#details")).to_contain_text("aten.layer_norm.default")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    paper = page.locator(".paper")
    expect(paper.locator("h1")).to_have_text(["GPT · export.0", "GPT · core_aten.0"])
    assert paper.locator("svg text", has_text="scaled_dot_product_attention").count() >= 1
    assert paper.locator("figure").count() > 3
    expect(paper.locator(".paper-details")).to_contain_text("aten.layer_norm.default")
    expect(page.locator("#rail")).to_be_hidden()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(paper).to_have_count(0)
    expect(page.locator("#rail")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_printed_story_has_no_form_and_says_how_many_guards(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('08_graph_breaks')}#v1?p=story")
    expect(page.get_by_label("Second inputs")).to_be_visible()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    paper = page.locator(".paper")
    expect(paper.get_by_text("9 guards", exact=True)).to_be_visible()
    expect(paper.get_by_text("What would other inputs change?")).to_be_hidden()


def test_the_browser_prints_it(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('04_gpt')}#v1?p=export.0")
    drawn(page, "export.0")
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    assert 2 <= pages <= 8


# ----------------------------------------------------------------------------------------------------------- other formats


def test_the_menu_leads_to_every_format(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('01_sin')}#v1?p=export.0")
    drawn(page, "export.0")
    open_menu(page)
    links = page.locator('.exports .menu-list a[href*="/graphs/"]')
    expect(links).to_have_count(5)
    for link in links.all():
        answer = page.request.get(link.get_attribute("href") or "")
        assert answer.ok, answer.url


# ------------------------------------------------------------------------------------------------------------------ frames


def test_another_site_shows_the_view_in_a_frame(visit: Visit, captured: Captured, served: str) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=export.0&o=net")
    drawn(page, "export.0")
    open_menu(page)
    page.get_by_role("button", name="Embed…").click()
    code = page.get_by_label("HTML of the frame").input_value()
    assert code.startswith(f'<iframe src="{served}/embed/') and "#v1?p=export.0" in code
    page = page.context.new_page()
    page.set_content(f"<!doctype html><title>elsewhere</title><h1>A blog</h1>{code}")
    frame = page.frame_locator("iframe")
    expect(frame.locator("canvas.graph-canvas")).to_have_attribute("aria-label", re.compile("nodes"))
    expect(frame.locator("#rail")).to_be_hidden()
    whole = frame.locator("#whole")
    whole.focus()
    assert re.search(r"/c/[^#]+#v1\?p=export\.0", whole.get_attribute("href") or "")


# ---------------------------------------------------------------------------------------------------------------- the file


@pytest.fixture
def from_disk(browser: Browser) -> Iterator[Callable[[Path], Page]]:
    """Opens a file without a network. Console errors, and anything asked of anybody, fail the test."""
    complaints: list[str] = []
    contexts = []

    def open_it(path: Path) -> Page:
        context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce", offline=True)
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type in {"error", "warning"} and complaints.append(said.text))
        page.on("request", lambda asked: asked.url.startswith(("file:", "blob:", "data:")) or complaints.append(asked.url))
        page.goto(path.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


def saved(page: Page, to: Path) -> Path:
    open_menu(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="HTML file").first.click()
    download.value.save_as(to)
    return to


def test_the_whole_viewer_works_from_one_file(
    visit: Visit, captured: Captured, from_disk: Callable[[Path], Page], tmp_path: Path
) -> None:
    page = visit(f"/c/{captured('04_gpt')}#v1?p=core_aten.0&p=joint.0&s=core_aten.0:addmm")
    drawn_both = page.get_by_role("region", name="Graph joint.0").locator("canvas.graph-canvas")
    expect(drawn_both).to_have_attribute("aria-label", re.compile("nodes"))
    file = saved(page, tmp_path / "gpt.html")
    page = from_disk(file)
    for gid in ("core_aten.0", "joint.0"):
        expect(page.get_by_role("region", name=f"Graph {gid}").locator("canvas.graph-canvas")).to_have_attribute(
            "aria-label", re.compile("nodes")
        )
    details = page.locator("#details")
    expect(details).to_contain_text("aten.addmm.default")
    expect(page.locator(".pane-kin").last).to_contain_text("node")
    expect(page).to_have_url(re.compile(r"^file:.*#v1\?p=core_aten\.0"))
    # Other graphs, the mirror, the story, text, charts: all of it is there.
    page.get_by_role("tab", name="Text").click()
    expect(page.locator("#side")).to_contain_text("addmm")
    page.get_by_role("tab", name="Charts").click()
    expect(page.locator("#drawer .main-svg").first).to_be_visible(timeout=30_000)  # plotly.js is megabytes
    page.get_by_role("tab", name="Guards").click()
    expect(page.locator("#drawer")).to_contain_text("check_")
    page.keyboard.press("Escape")
    page.get_by_label("Stages").get_by_role("button", name=re.compile("^Mirror")).click()
    expect(page.get_by_role("region", name="Mirror mirror.0").locator("canvas.graph-canvas")).to_be_visible()


def test_a_file_has_no_door_to_a_server(
    visit: Visit, captured: Captured, from_disk: Callable[[Path], Page], tmp_path: Path
) -> None:
    page = visit(f"/c/{captured('01_sin')}#v1?p=export.0")
    drawn(page, "export.0")
    page = from_disk(saved(page, tmp_path / "sin.html"))
    drawn(page, "export.0")
    assert page.locator('a[href^="/"]').count() == 0
    for name in ("Copy link", "Edit", "New"):
        expect(page.get_by_text(name, exact=True)).to_have_count(0)
    open_menu(page)
    expect(page.locator(".exports .menu-list > *")).to_have_count(2)
    page.reload()
    drawn(page, "export.0")


def test_a_file_cut_off_on_its_way_says_so(visit: Visit, captured: Captured, browser: Browser, tmp_path: Path) -> None:
    page = visit(f"/c/{captured('01_sin')}#v1?p=export.0")
    drawn(page, "export.0")
    file = saved(page, tmp_path / "sin.html")
    file.write_text(file.read_text()[:200_000])
    other = browser.new_page()
    other.goto(file.as_uri())
    expect(other.get_by_text("the file is not complete")).to_be_visible()
    other.close()


# ------------------------------------------------------------------------------------------------------ without JavaScript


def test_without_javascript_there_is_an_outline(browser: Browser, served: str, captured: Captured) -> None:
    context = browser.new_context(base_url=served, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/c/{captured('04_gpt')}")
    expect(page.get_by_role("heading", name="GPT")).to_be_visible()
    page.get_by_role("link", name="export.0", exact=True).click()
    expect(page.get_by_role("heading", name="export.0")).to_be_visible()
    expect(page.get_by_text("layer_norm", exact=True).first).to_be_visible()
    context.close()
