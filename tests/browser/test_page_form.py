"""The form asks for what the code does not say: the class, its arguments, the inputs. Guesses are marked as such."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self, channels: int, wide=8):
        super().__init__()
        self.conv = torch.nn.Conv2d(channels, wide, 3)

    def forward(self, image):
        return self.conv(image)
"""


def write(page: Page, code: str) -> None:
    page.get_by_role("textbox", name="Python code").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(code)


def test_a_class_with_arguments_is_asked_for_and_sent_as_it_is_filled_in(visit: Visit) -> None:
    page = visit("/", expect="ERR_FAILED")
    expect(page.locator("#model-rule")).to_have_text(re.compile("the script's own calls: torch.export.export in line 9"))
    write(page, NET)
    expect(page.get_by_label("Model", exact=True)).to_have_value("Net")
    expect(page.get_by_label("wide")).to_have_attribute("placeholder", "8")
    with page.expect_response("**/api/look"):  # what is asked for stays so while the code is edited
        page.keyboard.insert_text("# more")
    expect(page.locator("#model-rule")).to_have_text("Net is captured, made with these arguments.")
    expect(page.get_by_label("wide")).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#construct-error")).to_contain_text("Net needs channels")
    expect(page.get_by_label("channels")).to_be_focused()
    page.keyboard.type("3")
    inputs = page.get_by_label("Inputs", exact=True)
    expect(inputs).to_have_value("image: f32[2, 3, 32, 32]")
    expect(page.locator(".guess-mark")).to_be_visible()
    expect(page.locator("#inputs-guess")).to_have_text("Guessed: image, as Conv2d in line 7 takes it.")
    page.get_by_label("channels").fill("1")
    expect(inputs).to_have_value("image: f32[2, 1, 32, 32]")
    inputs.fill("image: f32[b=4, 1, 8, 8]")
    expect(page.locator(".guess-mark")).to_be_hidden()
    sent: list[Request] = []
    page.route("**/api/captures", lambda route, request: (sent.append(request), route.abort()))
    with page.expect_event("requestfailed"):
        page.keyboard.press("Control+Enter")
    options = json.loads(sent[0].post_data or "{}")["options"]
    assert options == {"construct": "Net(channels=1)", "inputs": "image: f32[b=4, 1, 8, 8]"}


def test_what_is_wrong_is_pointed_at_while_it_is_typed(visit: Visit) -> None:
    page = visit("/")
    page.get_by_label("Inputs", exact=True).fill("x: f32[2]; y: f33[4]")
    expect(page.locator("#inputs-error")).to_contain_text("Column 15: 'f33' is no dtype")
    expect(page.locator("#inputs-error mark")).to_have_text("f33[4]")
    page.get_by_label("Inputs", exact=True).fill("x: f32[2]; y: f32[4]")
    expect(page.locator("#inputs-error")).to_be_hidden()


def test_inputs_stand_a_line_each_and_the_field_is_as_high_as_they_are(visit: Visit) -> None:
    page = visit("/")
    field = page.get_by_label("Inputs", exact=True)
    field.fill("")
    low = field.bounding_box()
    field.press_sequentially("x: f32[2]")
    field.press("Enter")
    page.keyboard.insert_text("batch: {'a': f32[2], 'b': [i64[1], f33[3]], 'c': f32[3]}\ny: f32[4]")
    expect(page.locator("#inputs-error")).to_contain_text("Line 2, column 36: 'f33' is no dtype")
    expect(page.locator("#inputs-error .at-fault")).to_have_text(": f32[2], 'b': [i64[1], f33[3]], 'c': f32[3]}")
    expect(page.locator("#inputs-error mark")).to_have_text("f33[3]")
    high = field.bounding_box()
    assert low is not None and high is not None and high["height"] >= low["height"] + 30


def test_the_form_is_as_it_was_after_a_reload_and_from_a_capture(visit: Visit) -> None:
    page = visit("/")
    write(page, NET)
    page.get_by_label("channels").fill("(5)")
    expect(page.get_by_label("Inputs", exact=True)).to_have_value("image: f32[2, 5, 32, 32]")
    page.reload()
    expect(page.get_by_label("channels")).to_have_value("5")
    expect(page.locator(".guess-mark")).to_be_visible()
    sent = {
        "code": NET,
        "options": {"construct": "Net(4, wide=2)", "inputs": "image: f32[1, 4, 9, 9]", "stages": ["export"]},
    }
    made = page.request.post("/api/captures", data=sent).json()
    page.goto(f"/?from={made['id']}")
    expect(page.get_by_label("channels")).to_have_value("4")
    expect(page.get_by_label("wide")).to_have_value("2")
    expect(page.get_by_label("Inputs", exact=True)).to_have_value("image: f32[1, 4, 9, 9]")


FUNCTIONS = """\
import torch


def halve(x, by=2):
    return x / by


def step(x):
    return halve(x) if x.sum() > 0 else x


def loss(x, y):
    return (x - y).abs().sum()
"""


def test_a_function_is_chosen_and_captured_as_it_is(visit: Visit) -> None:
    page = visit("/", expect="ERR_FAILED")
    write(page, FUNCTIONS)
    expect(page.locator("#model-rule")).to_have_text("Several functions could be meant: step, loss.")
    model = page.get_by_label("Model", exact=True)
    expect(model.locator("option")).to_have_text(["Choose the function…", "halve(x, by=2)", "step(x)", "loss(x, y)"])
    model.select_option("loss(x, y)")
    expect(page.locator("#model-rule")).to_have_text("Captures loss, as given.")
    expect(page.get_by_label("Inputs", exact=True)).to_have_value("x: f32[2, 3], y: f32[2, 3]")
    sent: list[Request] = []
    page.route("**/api/captures", lambda route, request: (sent.append(request), route.abort()))
    with page.expect_event("requestfailed"):
        page.keyboard.press("Control+Enter")
    assert json.loads(sent[0].post_data or "{}")["options"]["construct"] == "loss"
    page.reload()
    expect(model).to_have_value("loss")
    write(page, FUNCTIONS + NET)
    expect(model.locator("optgroup")).to_have_count(2)
    expect(model).to_have_value("loss")
