"""How a pane lays out its graph: the choices of its menu, the link that holds them, and the keys that follow them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visit


@pytest.fixture(scope="module")
def mlp(captured: Callable[[str], str]) -> str:
    return captured("02_mlp")


def choose(page: Page, question: str, answer: str) -> None:
    page.get_by_title("How this graph is arranged").click()
    page.get_by_role("group", name=question).get_by_role("button", name=re.compile(f"^{answer}")).click()


def pressed(page: Page, question: str) -> str:
    page.get_by_title("How this graph is arranged").click()
    found = page.get_by_role("group", name=question).locator("[aria-pressed=true]").inner_text()
    page.keyboard.press("Escape")
    return found.split("\n")[0]


def test_a_graph_flows_to_the_right_when_asked_and_the_link_says_so(visit: Visit, mlp: str) -> None:
    page = visit(f"/c/{mlp}#v1?p=export.0")
    choose(page, "Direction", "Left to right")
    expect(page).to_have_url(re.compile(r"[?&]w=right(&|$)"))
    page.reload()
    assert pressed(page, "Direction") == "Left to right"
    choose(page, "Direction", "Top to bottom")
    expect(page).not_to_have_url(re.compile(r"[?&]w="))


def test_arrows_follow_edges_whichever_way_they_run(visit: Visit, mlp: str) -> None:
    down = visit(f"/c/{mlp}#v1?p=export.0&o=*&s=export.0:linear")
    walked = []
    for page, key in [(down, "ArrowDown"), (visit(f"/c/{mlp}#v1?p=export.0&o=*&w=right&s=export.0:linear"), "ArrowRight")]:
        heading = page.get_by_role("complementary", name="Details of the selection").get_by_role("heading", level=2)
        expect(heading).to_have_text("linear")
        page.get_by_role("region", name="Graph export.0").locator("canvas").first.focus()
        page.keyboard.press(key)
        expect(heading).not_to_have_text("linear")
        walked.append(heading.inner_text())
    assert walked[0] == walked[1]


def test_whether_long_graphs_are_wrapped_is_a_choice_and_in_the_link(visit: Visit, mlp: str) -> None:
    page = visit(f"/c/{mlp}#v1?p=export.0")
    choose(page, "Very long graphs", "In one piece")
    expect(page).to_have_url(re.compile(r"[?&]y=0(&|$)"))
    page.reload()
    assert pressed(page, "Very long graphs") == "In one piece"


def test_the_next_stage_flows_as_this_one(visit: Visit, mlp: str) -> None:
    page = visit(f"/c/{mlp}#v1?p=export.0&w=right")
    page.get_by_role("navigation", name="Stages").get_by_role("button", name=re.compile("^Joint")).click()
    expect(page.get_by_role("region", name="Graph joint.0")).to_be_visible()
    expect(page).to_have_url(re.compile(r"p=joint\.0.*w=right"))


def test_the_choices_fit_a_phone(visit: Visit, mlp: str) -> None:
    page = visit(f"/c/{mlp}#v1?p=export.0", viewport={"width": 390, "height": 780})
    page.locator(".pane").get_by_title("More").click()
    page.get_by_title("How this graph is arranged").click()
    box = page.get_by_role("button", name=re.compile("^Left to right")).bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.get_by_role("button", name=re.compile("^Left to right")).click()
    expect(page).to_have_url(re.compile(r"w=right"))


def test_a_layout_that_runs_out_of_time_says_so_and_can_be_made_neat(visit: Visit, captured: Callable[[str], str]) -> None:
    page = visit("/")
    hurried = []

    def hurry(route: Route) -> None:
        source = route.fetch()
        hurried.append("TIDY_MS = 5_000" in source.text())
        route.fulfill(response=source, body=source.text().replace("TIDY_MS = 5_000", "TIDY_MS = 0"))

    page.context.route("**/layout/budget.js", hurry)
    page.goto(f"/c/{captured('04_gpt')}#v1?p=joint.0&o=*&n=")
    expect(page.get_by_role("button", name="Lay out neatly")).to_be_visible()
    assert hurried and all(hurried), "the module holds the limit"
    said = page.get_by_role("status").filter(has_text="Laid out roughly")
    expect(said).to_contain_text("Nothing is missing")
    page.get_by_role("button", name="Lay out neatly").click()
    expect(said).to_be_hidden()
