"""From pasted code to graphs, while it runs: the promise of the whole product, once through the page."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Visit, submit

pytestmark = pytest.mark.browser

STAGES = ("Eager", "Dynamo", "Export", "Core ATen", "Joint", "Forward", "Backward")
PRINTED = """graph():
    %x : [num_users=1] = placeholder[target=x]
    %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})
    %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%sin,), kwargs = {})
    return (sum_1,)"""


def rail(page: Page, stage: str) -> Locator:
    return page.get_by_role("navigation", name="Stages").get_by_role("button", name=re.compile(f"^{stage}"))


def test_the_first_example_becomes_graphs(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("button", name="Capture").click()
    page.wait_for_url("**/c/*")
    expect(page.locator(".graph-canvas")).to_be_visible(timeout=60_000)  # the first graph opens by itself
    expect(page.locator(".top-status")).to_contain_text("done", timeout=60_000)
    for stage in STAGES:
        expect(rail(page, stage)).to_be_visible()
    expect(rail(page, "Export")).to_contain_text("4 nodes")
    expect(rail(page, "Backward")).to_contain_text("skipped")

    rail(page, "Export").click()
    page.get_by_role("tab", name="Text").click()
    lines = page.locator(".text-line")
    expect(lines).to_have_count(5)
    assert "\n".join(lines.all_text_contents()) == PRINTED

    page.get_by_role("tab", name="Output").click()
    expect(page.get_by_role("tabpanel", name="Output")).to_contain_text("placeholder[target=x]")

    rail(page, "Backward").click()
    expect(page.get_by_role("main")).to_contain_text("Backward was skipped")
    expect(page.get_by_role("main")).to_contain_text("requires grad")

    page.get_by_role("link", name="graphcap").click()
    expect(page.locator("#recent")).to_contain_text("model.py")
    expect(page.locator("#recent")).to_contain_text("done")


def write_once(page: Page, comment: str) -> None:
    """Makes the code in the editor another one than was captured before: that would be done at once."""
    page.get_by_role("textbox", name="Python code").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(f"\n# {comment}\n")


def test_a_page_opened_late_has_everything(visit: Visit) -> None:
    page = visit("/")
    write_once(page, "opened late")
    page.get_by_role("button", name="Capture").click()
    page.wait_for_url("**/c/*")
    late = page.context.new_page()
    late.goto(page.url.split("#")[0])
    for each in (page, late):
        expect(each.locator(".top-status")).to_contain_text("done", timeout=60_000)
        expect(rail(each, "Core ATen")).to_contain_text("4 nodes")
        expect(each.locator(".graph-canvas")).to_be_visible()


def test_a_refused_event_stream_is_asked_for_again(visit: Visit) -> None:
    page = visit("/", expect="503")
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503)

    page.route("**/events", refuse_once)
    write_once(page, "refused once")
    page.get_by_role("button", name="Capture").click()
    page.wait_for_url("**/c/*")
    expect(page.locator(".graph-canvas")).to_be_visible(timeout=60_000)
    expect(page.locator(".top-status")).to_contain_text("done", timeout=60_000)
    assert refused


TWO = """import torch


class Sin(torch.nn.Module):
    def forward(self, x):
        return x.sin()


class Cos(torch.nn.Module):
    def forward(self, x):
        return x.cos()


first = torch.export.export(Sin(), (torch.randn(4),))
second = torch.export.export(Cos(), (torch.randn(4),))
"""


def test_several_targets_are_switched_and_say_how_they_were_found(visit: Visit, served: str) -> None:
    page = visit(f"/c/{submit(served, TWO, 'two.py')}")
    expect(page.locator(".graph-canvas")).to_be_visible()
    target = page.get_by_role("combobox", name="Target")
    expect(target.locator("option")).to_have_count(2)
    expect(page.locator(".rail-rule")).to_contain_text("line 14")
    target.select_option("t2")
    expect(page.get_by_role("region", name="Graph t2.export.0")).to_be_visible()
    expect(page.locator(".rail-rule")).to_contain_text("line 15")
    page.get_by_role("tab", name="Text").click()
    expect(page.locator(".text-line", has_text="aten.cos.default")).to_have_count(1)
    page.locator(".rail-rule").click()
    expect(page.locator(".code-place .lit")).to_contain_text("second = torch.export.export")


def test_an_exported_program_is_uploaded(visit: Visit, tmp_path: Path) -> None:
    made = tmp_path / "scaled.pt2"
    code = (
        f"import torch; torch.export.save(torch.export.export(torch.nn.Linear(3, 2), (torch.randn(1, 3),)), {str(made)!r})"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    page = visit("/")
    page.locator("#file").set_input_files(made)
    page.get_by_role("button", name="Capture").click()
    page.wait_for_url("**/c/*")
    expect(page.locator(".top-status")).to_contain_text("done", timeout=90_000)
    rail(page, "Export").click()
    page.get_by_role("tab", name="Text").click()
    expect(page.locator(".text-line", has_text="aten.linear.default")).to_have_count(1)
    page.get_by_role("tab", name="Source").click()
    expect(page.get_by_role("tabpanel", name="Source")).to_contain_text("binary file")
