"""The landing page: what stands in the editor, what is sent, and that nothing is lost when it is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.looking_at import let_pass

pytestmark = pytest.mark.browser

REFUSED = r"status of 4\d\d"


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Python code")


def replace_code(page: Page, code: str) -> None:
    editor(page).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(code)


def test_the_editor_begins_with_an_example_that_works_as_it_is(visit: Visit) -> None:
    page = visit("/")
    expect(editor(page)).to_contain_text("class Sin(torch.nn.Module)")
    expect(editor(page)).to_contain_text("torch.export.export(Sin(), (torch.randn(4),))")
    expect(page.get_by_role("button", name="Capture")).to_be_enabled()


@pytest.mark.parametrize("size", [(1280, 900), (1280, 720), (390, 844)])
def test_capture_is_always_in_sight(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/", viewport={"width": size[0], "height": size[1]})
    button = page.get_by_role("button", name="Capture")
    for scrolled in (0, 120, 280):  # to 400: on a phone the gallery stands below the form
        page.mouse.move(size[0] / 2, 60)
        page.mouse.wheel(0, scrolled)
        box = button.bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= size[1]


def test_what_the_look_finds_moves_nothing(visit: Visit) -> None:
    page = visit("/")
    held: list[Route] = []
    page.route("**/api/look", lambda route: held.append(route))
    page.reload()
    expect(page.locator("#model-rule")).to_have_text("Reading the code…")
    before = page.locator("#inputs").bounding_box()
    let_pass(page, 200)
    held[0].continue_()
    expect(page.locator("#construct-class")).to_be_visible()
    assert page.locator("#inputs").bounding_box() == before


def test_who_types_while_the_editor_loads_types_on(visit: Visit) -> None:
    page = visit("/")
    held: list[Route] = []
    page.route("**/codemirror.js", lambda route: held.append(route))
    page.reload()
    field = page.locator("textarea#code")
    field.click()
    field.press("Control+A")
    page.keyboard.insert_text("x = 1")
    field.press("ArrowLeft")
    expect(field).to_have_value("x = 1")
    held[0].continue_()
    expect(page.locator(".code-editor")).to_be_focused()
    page.keyboard.insert_text("2")
    expect(editor(page)).to_have_text("x = 21")


def test_an_example_fills_the_editor(visit: Visit) -> None:
    page = visit("/")
    expect(page.locator(".example")).not_to_have_count(0)
    assert page.locator(".example").count() >= 8
    page.get_by_role("button", name="GPT").click()
    expect(editor(page)).to_contain_text("scaled_dot_product_attention")
    expect(page.locator(".file-name")).to_have_text("gpt.py")


def test_a_refused_submit_says_why_and_loses_nothing(visit: Visit) -> None:
    page = visit("/", expect=REFUSED)
    replace_code(page, "import torch\n# my work\n" + "#" * 20_000)
    page.get_by_label("Inputs", exact=True).fill("x: f32[2]")
    page.get_by_role("button", name="Capture").click()
    expect(page.get_by_role("alert").locator(".notice strong")).to_contain_text("large")
    expect(editor(page)).to_contain_text("# my work")
    expect(page.get_by_label("Inputs", exact=True)).to_have_value("x: f32[2]")
    page.reload()
    expect(editor(page)).to_contain_text("# my work")
    expect(page.get_by_label("Inputs", exact=True)).to_have_value("x: f32[2]")


def test_empty_code_is_refused_in_place(visit: Visit) -> None:
    page = visit("/", expect=REFUSED)
    page.get_by_role("button", name="Clear").click()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert").locator(".notice strong")).not_to_be_empty()
    assert page.url.endswith("/")


def test_a_server_that_is_gone_is_said_and_loses_nothing(visit: Visit) -> None:
    page = visit("/", expect="ERR_FAILED")
    replace_code(page, "# precious")
    page.route("**/api/captures", lambda route: route.abort())
    page.get_by_role("button", name="Capture").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(editor(page)).to_have_text("# precious")
    expect(page.get_by_role("button", name="Capture")).to_be_enabled()


def test_a_python_file_goes_into_the_editor(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("value = 41 + 1\n")
    page = visit("/")
    page.locator("#file").set_input_files(tmp_path / "mine.py")
    expect(editor(page)).to_contain_text("value = 41 + 1")
    expect(page.locator(".file-name")).to_have_text("mine.py")


def test_another_file_is_sent_as_it_is_and_refused_with_what_to_do(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(bytes(range(256)))
    page = visit("/", expect=REFUSED)
    page.locator("#file").set_input_files(tmp_path / "weights.bin")
    expect(page.locator(".file-chip")).to_contain_text("weights.bin")
    expect(page.locator(".form-note")).to_contain_text("weights.bin is sent in place of the code")
    page.get_by_role("button", name="Capture").click()
    expect(page.get_by_role("alert").locator(".notice")).to_contain_text("it may be cut off")
    expect(page.locator(".file-chip")).to_contain_text("weights.bin")


def test_several_files_are_sent_with_their_paths_and_the_one_that_is_chosen(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "proj" / "pkg").mkdir(parents=True)
    (tmp_path / "proj" / "__pycache__").mkdir()
    for name in ("run.py", "pkg/net.py", "pkg/__init__.py", "__pycache__/net.py"):
        (tmp_path / "proj" / name).write_text(f"# {name}\n")
    page = visit("/")
    page.locator("#folder").set_input_files(tmp_path / "proj")
    expect(page.locator(".file-chip")).to_have_count(3)
    page.get_by_label("File to capture").select_option("proj/pkg/net.py")
    page.get_by_role("button", name="Remove proj/run.py").click()
    expect(page.locator(".file-chip")).to_have_count(2)
    page.get_by_role("button", name="Capture").click()
    page.wait_for_url("**/c/**")
    sent = page.request.get(page.url.split("#")[0].replace("/c/", "/api/captures/") + "/source").json()["files"]
    assert [file["name"] for file in sent] == ["pkg/net.py", "pkg/__init__.py"]


def test_weights_may_be_sent_with_the_code_in_the_editor(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "w.pt").write_bytes(b"x")
    page = visit("/", expect=REFUSED)  # it is no file of torch's, says the look at what is chosen
    page.locator("#file").set_input_files(tmp_path / "w.pt")
    page.get_by_role("button", name="Send with the code in the editor").click()
    expect(page.locator(".file-chip")).to_have_count(2)
    expect(page.locator(".file-chip").first).to_contain_text("model.py")
    page.get_by_role("button", name="Remove all").click()
    expect(page.locator(".file-chip")).to_have_count(0)


def test_options_and_theme_are_remembered(visit: Visit) -> None:
    page = visit("/")
    page.locator("#options summary").click()
    page.get_by_label("Mode", exact=True).select_option("eval")
    page.get_by_label("Backward").uncheck()
    page.get_by_role("button", name="Dark theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator("#options summary").click()
    expect(page.get_by_label("Mode", exact=True)).to_have_value("eval")
    expect(page.get_by_label("Backward")).not_to_be_checked()


def test_without_the_editor_a_plain_field_takes_its_place(visit: Visit) -> None:
    page = visit("/", expect="codemirror|ERR_FAILED|did not load")
    page.route("**/codemirror.js", lambda route: route.abort())
    page.reload()
    field = page.locator("textarea#code")
    expect(field).to_have_value(re.compile("class Sin"))
    page.get_by_role("button", name="MLP three").click()
    expect(field).not_to_have_value(re.compile("class Sin"))


def test_it_fits_a_phone(visit: Visit) -> None:
    page = visit("/", viewport={"width": 390, "height": 844})
    expect(page.locator(".example")).not_to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_code_that_an_example_replaced_can_be_had_back(visit: Visit) -> None:
    page = visit("/")
    replace_code(page, "# an evening's work\n")
    page.get_by_role("button", name="Sin the smallest").click()
    expect(editor(page)).to_contain_text("class Sin")
    page.get_by_role("button", name="Undo").click()
    expect(editor(page)).to_contain_text("# an evening's work")


def test_a_dropped_file_is_taken(visit: Visit) -> None:
    page = visit("/")
    expect(editor(page)).to_be_visible()
    page.evaluate(
        """() => {
            const carried = new DataTransfer();
            carried.items.add(new File(["dropped = True\\n"], "dropped.py", { type: "text/x-python" }));
            const host = document.querySelector(".code-host");
            for (const name of ["dragenter", "dragover", "drop"])
                host.dispatchEvent(new DragEvent(name, { dataTransfer: carried, bubbles: true }));
        }"""
    )
    expect(editor(page)).to_contain_text("dropped = True")
    expect(page.locator("body")).not_to_have_class(re.compile("dropping"))
