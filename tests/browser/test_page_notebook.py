"""A notebook with a break in its third cell, and with statistics of its parameters: lines are told by their cells."""

from __future__ import annotations

import json
import re
import time
import urllib.request

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import CAPTURE_SECONDS, Visit
from tests.browser.looking_at import api, details

pytestmark = pytest.mark.browser

CELLS = (
    "%matplotlib inline\nimport torch\nfrom torch import nn",
    "class Block(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.inner = nn.Linear(2, 2)\n"
    "        nn.init.constant_(self.inner.weight, 0.5)\n\n"
    "    def forward(self, x):\n        return report(self.inner(x)).tanh()",
    "def report(x):\n    y = x.sin()\n    torch._dynamo.graph_break()\n    return y.cos()",
    "model = Block()\nexample_args = (torch.randn(4, 2),)",
)
BOUNDARY = "graphcap-of-a-test"


def part(name: str, value: str, file: str = "") -> str:
    named = f'; filename="{file}"' if file else ""
    return f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n{value}\r\n'


@pytest.fixture(scope="module")
def notebook(served: str) -> str:
    """The id of its capture."""
    cells = [{"cell_type": "code", "source": source} for source in CELLS]
    text = json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})
    options = {"parameter_statistics": True, "stages": ["dynamo", "export"]}
    body = part("file", text, "study.ipynb") + part("options", json.dumps(options)) + f"--{BOUNDARY}--\r\n"
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    call = urllib.request.Request(f"{served}/api/captures", body.encode(), headers)
    id = str(json.load(urllib.request.urlopen(call))["id"])
    deadline = time.monotonic() + CAPTURE_SECONDS
    while (state := api(served, id))["status"] in {"queued", "running"}:
        assert time.monotonic() < deadline, state
        time.sleep(0.3)
    assert state["status"] == "done", state
    return id


def source(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Source")


def test_breaks_are_told_by_cell_and_lead_there(visit: Visit, notebook: str) -> None:
    page = visit(f"/c/{notebook}#v1?p=dynamo.0&d=breaks")
    row = page.locator(".break-row")
    expect(row).to_have_count(1)
    expect(page.locator(".break").first).to_contain_text("cell 3, line 3")
    row.get_by_role("button", name="study.ipynb, cell 3, line 3").first.click()
    expect(page.locator(".cm-line.lit")).to_have_text("    torch._dynamo.graph_break()")


def test_the_source_marks_where_cells_begin_and_counts_in_them(visit: Visit, notebook: str) -> None:
    page = visit(f"/c/{notebook}#v1?p=dynamo.0")
    expect(page.locator(".cm-line.cell-heading")).to_have_text([f"# %% cell {i}" for i in (1, 2, 3, 4)])
    shown = page.locator(".cm-lineNumbers .cm-gutterElement:visible")
    counted = [str(i) for lines in (3, 8, 4, 2) for i in range(1, lines + 1)]
    expect(shown.filter(has_text=re.compile(r"\d"))).to_have_text(counted)
    page.locator(".cm-line", has_text="return report(self.inner(x))").click()
    expect(page.locator(".notice, #notice, [role=status]").filter(has_text="cell 2, line 8").first).to_be_attached()


def test_a_node_and_the_story_tell_cells(visit: Visit, notebook: str) -> None:
    page = visit(f"/c/{notebook}#v1?p=dynamo.1&s=dynamo.1:y")
    expect(details(page).get_by_role("button", name="study.ipynb, cell 3, line 2")).to_be_visible()
    page = visit(f"/c/{notebook}#v1?p=story")
    expect(page.locator(".excerpt figcaption").first).to_have_text("Block.forward in study.ipynb, cell 2")
    expect(page.get_by_role("button", name="Cell 3, line 3, show it in the source").first).to_have_text("3")


def test_a_parameter_shows_its_statistics(visit: Visit, notebook: str) -> None:
    page = visit(f"/c/{notebook}#v1?p=export.0&s=export.0:p_inner_weight")
    facts = details(page).locator("section", has=page.get_by_role("heading", name="Statistics of its values"))
    expect(facts.locator("dt")).to_have_text(["min", "max", "mean", "std", "zeros", "NaN", "infinite"])
    expect(facts.locator("dd")).to_have_text(["0.5", "0.5", "0.5", "0", "0", "0", "0"])
    expect(facts).to_contain_text("Of 4 elements as they were before anything ran.")


def test_the_form_asks_for_them(visit: Visit) -> None:
    page = visit("/")
    page.locator("#options summary").click()
    box = page.locator("#option-parameter_statistics")
    expect(box).not_to_be_checked()
    box.check()
    expect(page.locator("#options summary")).to_contain_text("parameter_statistics changed")
