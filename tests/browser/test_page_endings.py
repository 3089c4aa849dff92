"""Captures that give no graph: cancelled, nothing to capture, a syntax error, an unknown address."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit, submit

pytestmark = pytest.mark.browser

ENDLESS = "import time\nprint('before the loop', flush=True)\nwhile True:\n    time.sleep(0.1)\n"
TYPO = """\
import torch
class M(torch.nn.Module):
    def forward(self, x):
        return torch.sinn(x)
model = M()
example_args = (torch.randn(3),)
"""
SYNTAX = "import torch\n\n\ndef forward(self, x)\n    return x\n"
NO_INPUTS = (
    "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n\n\nmodel = Net()\n"
)


def paste_and_capture(page: Page, code: str) -> None:
    page.get_by_role("textbox", name="Python code").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(code)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/c/*")


def test_a_running_capture_shows_what_is_printed_and_can_be_cancelled(visit: Visit) -> None:
    page = visit("/")
    paste_and_capture(page, ENDLESS)
    expect(page.get_by_role("main")).to_contain_text(re.compile("Capturing|Waiting"))
    page.get_by_role("tab", name="Output").click()
    expect(page.get_by_role("tabpanel", name="Output")).to_contain_text("before the loop", timeout=60_000)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("main")).to_contain_text("This capture was cancelled")
    expect(page.locator(".top-status")).to_have_text("cancelled")
    page.get_by_role("link", name="Edit and try again").click()
    expect(page.get_by_role("textbox", name="Python code")).to_contain_text("before the loop")


def test_a_capture_made_here_can_be_deleted(visit: Visit) -> None:
    page = visit("/")
    paste_and_capture(page, "print('nothing to see')\n")
    expect(page.get_by_role("main")).to_contain_text("Nothing could be captured", timeout=60_000)
    address = page.url
    page.get_by_role("button", name="Delete this capture").click()
    page.get_by_role("button", name="Delete for everyone").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator("#recent")).to_contain_text("listed here")
    response = page.request.get(address)
    assert response.status == 404


def test_a_syntax_error_shows_its_line_and_leads_back_to_it(visit: Visit, served: str) -> None:
    page = visit(f"/c/{submit(served, SYNTAX, 'broken.py')}")
    expect(page.get_by_role("main")).to_contain_text("Nothing could be captured")
    expect(page.get_by_role("main")).to_contain_text("SyntaxError")
    expect(page.get_by_role("button", name="broken.py:4")).to_be_visible()
    expect(page.locator(".code-place .lit")).to_have_text("def forward(self, x)")
    page.get_by_role("link", name="Edit and try again").click()
    expect(page.get_by_role("textbox", name="Python code")).to_contain_text("def forward(self, x)")
    expect(page.locator(".file-name")).to_have_text("broken.py")


def test_missing_inputs_are_said_with_the_lines_to_add(visit: Visit, served: str) -> None:
    page = visit(f"/c/{submit(served, NO_INPUTS, 'net.py')}")
    expect(page.get_by_role("main")).to_contain_text("Nothing could be captured")
    expect(page.get_by_role("main")).to_contain_text("example_args")


def test_a_mistake_in_the_forward_fails_every_stage_and_leads_back_to_its_line(visit: Visit, served: str) -> None:
    page = visit(f"/c/{submit(served, TYPO, 'typo.py')}")
    main = page.get_by_role("main")
    expect(main).to_contain_text("module 'torch' has no attribute 'sinn'")
    expect(main).to_contain_text("No stage worked")
    expect(page.locator(".top-status")).to_contain_text("every stage failed")
    main.get_by_role("link", name="Edit and try again").click()
    expect(page.get_by_role("textbox", name="Python code")).to_contain_text("torch.sinn(x)")


def test_the_code_of_a_capture_is_edited_without_losing_ones_own(visit: Visit, served: str) -> None:
    address = f"/c/{submit(served, SYNTAX, 'broken.py')}"
    page = visit("/")
    editor = page.get_by_role("textbox", name="Python code")
    # Replaced in two steps: what Chromium itself inserts over a selection of coloured text carries a style attribute.
    editor.press("Control+a")
    editor.press("Delete")
    editor.press_sequentially("mine = 1")
    page.goto(address)
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(editor).to_contain_text("def forward(self, x)")
    page.get_by_role("button", name="Undo").click()
    expect(editor).to_have_text("mine = 1")


def test_an_unknown_address_says_so(visit: Visit) -> None:
    page = visit("/c/there-is-no-such-capture", expect="404")
    expect(page.get_by_role("heading", level=1)).to_contain_text("There is no such capture")
    page.get_by_role("link", name="Capture a model").click()
    expect(page.get_by_role("textbox", name="Python code")).to_be_visible()
