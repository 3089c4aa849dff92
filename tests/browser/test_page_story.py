"""Breaks as a story, and the marks of replays: on a function with two breaks, and one that stops in a function it calls."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Visit, submit

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]

BLOCK = """import torch
from torch import nn


class Config:
    def __init__(self):
        self.mode = "gelu"


def report(x, step):
    print("step", step)
    return x


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.cfg = Config()
        self.inner = nn.Linear(16, 16)

    def forward(self, x, flags):
        x = self.inner(x)
        if self.cfg.mode == "gelu":
            x = nn.functional.gelu(x)
        x = x * flags["step"]
        x = report(x.sin(), flags["step"])
        return x.tanh()


model = Block()
example_args = (torch.randn(4, 16), {"step": 3})
example_args_2 = (torch.randn(7, 16), {"step": 3})
"""


@pytest.fixture(scope="session")
def block(served: str) -> str:
    """The id of a capture with a break in a function that is called, called again with other inputs."""
    return submit(served, BLOCK, "block.py")


@pytest.fixture
def breaks(visit: Visit, captured: Captured) -> Page:
    return opened(visit(f"/c/{captured('08_graph_breaks')}#v1?p=story"))


def opened(page: Page) -> Page:
    expect(page.locator(".story")).to_be_visible()
    return page


def steps(page: Page) -> Locator:
    return page.get_by_role("list", name="As torch runs it").locator("> li")


def card(page: Page, number: int) -> Locator:
    return page.get_by_role("article", name=f"Fragment {number}")


def test_the_function_from_top_to_bottom(breaks: Page) -> None:
    expect(breaks.get_by_role("heading", level=2, name="normalize as torch.compile runs it")).to_be_visible()
    expect(steps(breaks).get_by_role("heading", level=3)).to_have_text(
        ["Fragment 1", "Python runs this: a graph break", "Fragment 2", "Python runs this: a graph break", "Fragment 3"]
    )
    first, stopped, second, jumped, last = steps(breaks).all()
    expect(first.locator(".excerpt-row code")).to_have_text(["def normalize(x):", re.compile(r"x = x - x\.mean\(\)")])
    expect(first.get_by_role("list", name="Its calls in order")).to_have_text(re.compile("mean.*sub"))
    expect(stopped.locator(".excerpt-row")).to_have_text(re.compile(r'13.*print\("centred"\).*Dynamo stops here'))
    expect(stopped).to_contain_text("Dynamo does not know how to trace builtin operator `print`")
    stopped.get_by_text("What to try: 3 hints").click()
    expect(stopped.get_by_role("listitem").filter(has_text="reorderable_logging_functions")).to_be_visible()
    expect(second.get_by_role("button", name=re.compile("^Joint"))).to_have_count(0)  # nothing of it requires grad
    expect(jumped).to_contain_text("Data-dependent branching")
    expect(jumped.locator(".excerpt-row")).to_have_text(re.compile(r"if x\.std\(\) > 1"))
    expect(last.locator(".excerpt-row code")).to_have_text([re.compile("x / x.std"), re.compile("return x.tanh")])


def test_ways_in_and_the_address(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('08_graph_breaks')}#v1?p=dynamo.0&d=breaks")
    rail = page.get_by_role("navigation", name="Stages")
    rail.get_by_role("button", name="Story").click()
    opened(page)
    assert "p=story" in page.url
    expect(rail.get_by_role("button", name="Story")).to_have_attribute("aria-current", "step")
    page.go_back()
    expect(page.locator(".graph-canvas")).to_be_visible()
    page.get_by_label("Graph in this pane").select_option("story")
    opened(page)
    page.go_back()
    page.get_by_role("button", name="As a story").click()
    opened(page)
    page.go_back()
    page.locator(".graph-canvas").focus()
    page.keyboard.press("9")  # seven stages, the mirror, the story
    opened(page)


def test_a_break_of_the_drawer_is_told_in_the_story_and_back(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('08_graph_breaks')}#v1?p=dynamo.0&d=breaks", viewport={"width": 1400, "height": 640})
    page.locator(".break-row", has_text="Data-dependent").get_by_role("button", name="In the story").click()
    opened(page)
    stop = page.locator(".story-stop", has_text="Data-dependent")
    expect(stop).to_be_in_viewport()
    expect(stop).to_be_focused()
    page.get_by_role("button", name="Close the drawer").click()
    stop.get_by_role("button", name="In the list of breaks").click()
    expect(page.locator(".break-row.is-pointed")).to_contain_text("Data-dependent")


def test_a_graph_and_a_call_open_beside_the_story(breaks: Page) -> None:
    card(breaks, 3).get_by_role("button", name=re.compile("^Backward")).click()
    expect(breaks.get_by_role("region", name="Graph backward.2")).to_be_visible()
    expect(card(breaks, 3)).to_have_class(re.compile("is-shown"))
    call = card(breaks, 1).get_by_role("button", name="mean")
    call.click()
    expect(breaks.get_by_role("region", name="Graph dynamo.0")).to_be_visible()
    expect(breaks.get_by_role("region", name="Graph backward.2")).to_have_count(0)  # it took that pane
    expect(breaks.get_by_role("complementary").get_by_role("heading", level=2)).to_have_text("mean")
    expect(call).to_have_attribute("aria-pressed", "true")
    expect(breaks).to_have_url(re.compile(r"p=story&(c=[\d,-]+&)?p=dynamo\.0&.*s=dynamo\.0:mean"))


def test_a_line_leads_to_the_source(breaks: Page) -> None:
    breaks.get_by_role("tab", name="Text", exact=True).click()
    breaks.get_by_role("button", name="Line 13, show it in the source").click()
    expect(breaks.locator(".code-place .lit")).to_have_text('    print("centred")')


def test_how_far_it_was_read_is_in_the_link(visit: Visit, captured: Captured) -> None:
    page = opened(visit(f"/c/{captured('08_graph_breaks')}#v1?p=story", viewport={"width": 1300, "height": 620}))
    page.get_by_role("region", name="Fragments of this stage").get_by_role("button", name=re.compile("^Fragment 3")).click()
    expect(card(page, 3)).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"p=story&c=4,"))
    again = opened(visit(page.url, viewport={"width": 1100, "height": 700}))
    expect(card(again, 3)).to_be_in_viewport()


def guards(page: Page, gid: str = "dynamo.0") -> Locator:
    return page.get_by_role("tree", name=f"Guards of {gid}")


def test_a_break_in_a_called_function(visit: Visit, block: str) -> None:
    page = opened(visit(f"/c/{block}#v1?p=story"))
    titles = steps(page).get_by_role("heading", level=3)
    expect(titles).to_have_text(["Fragment 1", re.compile("Python runs this"), "Fragment 2"])
    stopped = steps(page).nth(1)
    expect(stopped.locator("figcaption")).to_have_text(["Block.forward in block.py", "report in block.py"])
    expect(stopped.locator(".excerpt-row.is-calls")).to_contain_text('x = report(x.sin(), flags["step"])')
    expect(stopped.locator(".excerpt-row.is-stops")).to_contain_text('print("step", step)')
    expect(stopped.locator(".story-stack .story-in")).to_have_text(["forward", "report"])
    stopped.locator(".story-stack").get_by_role("button", name="block.py:11").click()
    expect(page.locator(".code-place .lit")).to_have_text('    print("step", step)')


def test_guards_as_a_tree(visit: Visit, block: str) -> None:
    page = opened(visit(f"/c/{block}#v1?p=story"))
    special = card(page, 1).get_by_role("list", name="Guards that specialise it")
    expect(special).to_contain_text("self.cfg.mode == 'gelu'")
    expect(special).to_contain_text("flags['step'] == 3")
    expect(special.get_by_role("listitem").first).to_have_text(re.compile(r"x f32\[4, 16\].*sizes.*failed"))
    toggle = card(page, 1).get_by_role("button", name=re.compile(r"^\d+ guards$"))
    toggle.click()
    tree = guards(page)
    expect(tree).to_be_visible()
    expect(page).to_have_url(re.compile("o=dynamo.0"))
    expect(tree.locator("> li > .outline-line").first).to_contain_text("L['x']")  # what failed, and what specialises, first
    expect(tree.locator("> li > .outline-line").last).to_contain_text("global state")
    search = page.get_by_role("searchbox", name="Search the guards")
    search.fill("cfg.mode")
    expect(page.locator(".guard-panel:visible [role=status]")).to_have_text(re.compile(r"^1 of \d+$"))
    expect(tree.locator(".guard-check:visible")).to_have_text(re.compile(r"value\s*== 'gelu'.*value.*line 23"))
    search.press("Escape")
    expect(search).to_have_value("")
    search.fill("there is no such guard")
    expect(page.get_by_text("No guard has these words.")).to_be_visible()
    search.fill("")
    page.get_by_label(re.compile("only the .* that specialise")).check()
    expect(tree.locator(".guard-check:visible .fixed-mark")).to_have_count(tree.locator(".guard-check:visible").count())
    toggle.click()
    expect(tree).to_be_hidden()
    expect(page).not_to_have_url(re.compile("o=dynamo"))


def test_the_tree_is_walked_by_keys_and_a_guard_opens(visit: Visit, block: str) -> None:
    page = opened(visit(f"/c/{block}#v1?p=story&o=dynamo.0"))
    tree = guards(page)
    first = tree.get_by_role("treeitem").first
    first.focus()
    expect(first).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    check = tree.locator("[role=treeitem]:focus")
    expect(check).to_contain_text("f32[4, 16]")
    page.keyboard.press("Enter")
    expect(check).to_contain_text("check_tensor(L['x']")
    expect(check).to_contain_text("TENSOR_MATCH")
    page.keyboard.press("ArrowLeft")
    expect(check.locator(".guard-whole")).to_be_hidden()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    expect(first).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("End")
    expect(tree.locator("[role=treeitem]:focus")).to_contain_text("global state")


def test_what_the_second_inputs_made_torch_compile(visit: Visit, block: str) -> None:
    page = opened(visit(f"/c/{block}#v1?p=story"))
    branch = page.get_by_role("region", name="Compiled anew").first
    expect(branch).to_contain_text("tensor 'x' size mismatch at index 0. expected 4, actual 7")
    expect(page.get_by_role("navigation", name="Stages").get_by_role("button", name="Story")).to_contain_text(
        "compiled anew for other inputs"
    )
    branch.get_by_role("button", name="L['x']").click()  # the guard that failed, among those of the fragment
    tree = guards(page)
    expect(tree.locator(".guard-check:visible").first).to_contain_text("failed")
    expect(page.get_by_role("searchbox", name="Search the guards")).to_have_value("L['x']")
    branch.get_by_role("button", name=re.compile("^Dynamo")).click()
    expect(page.get_by_role("region", name="Graph dynamo.0.r1")).to_be_visible()
    expect(page.get_by_text("Called again with the second inputs")).to_be_visible()


def test_other_inputs_are_tried_from_the_story(breaks: Page) -> None:
    field = breaks.get_by_label("Second inputs")
    send = breaks.get_by_role("button", name="Capture again")
    send.click()
    expect(field).to_be_focused()
    expect(breaks.get_by_role("alert").filter(has_text="Write what to call it with")).to_be_visible()
    before = breaks.url
    field.fill("x: f32[5]")
    send.click()
    breaks.wait_for_url(lambda url: url.split("#")[0] != before.split("#")[0])
    expect(breaks.locator(".story-anew").first).to_contain_text("tensor 'x' requires_grad mismatch", timeout=120_000)
    assert "p=story" in breaks.url


def test_nothing_captured_says_why_and_shows_the_function(visit: Visit, captured: Captured) -> None:
    page = opened(visit(f"/c/{captured('05_lstm')}#v1?p=story"))
    expect(page.locator(".story .notice")).to_contain_text("Nothing was captured. Dynamo captured no graph")
    expect(page.locator(".story")).to_contain_text("Attempted to wrap RNN, GRU, or LSTM")
    expect(page.locator(".excerpt-row.is-stops")).to_contain_text("self.lstm(")
    expect(page.locator(".excerpt-row")).to_have_count(3)


def test_one_fragment_has_no_entry_in_the_rail_but_a_story(visit: Visit, captured: Captured) -> None:
    page = opened(visit(f"/c/{captured('02_mlp')}#v1?p=story"))
    expect(page.get_by_text("No graph breaks: torch captured the whole function as one fragment.")).to_be_visible()
    expect(page.get_by_role("navigation", name="Stages").get_by_role("button", name="Story")).to_have_count(0)


def test_second_inputs_on_the_landing_page(visit: Visit) -> None:
    page = visit("/", expect="the server responded with a status of 400")
    page.get_by_role("textbox", name="Python code").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("import torch\nmodel = torch.nn.Linear(4, 2)\nexample_args = (torch.randn(3, 4),)\n")
    field = page.get_by_label("Second inputs")
    field.fill("input: f32[3, 4")
    page.get_by_text("Syntax").click()
    expect(page.get_by_text("where a guard does not hold, torch compiles that part anew")).to_be_visible()
    page.get_by_role("button", name="Capture").click()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("^Column 8: 'f32\\[3, 4' is neither a tensor"))
    expect(field).to_be_focused()
    expect(page.get_by_label("Inputs", exact=True)).not_to_have_attribute("aria-invalid", "true")
    field.fill("input: f32[5, 4]")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Capture").click()
    rail = page.get_by_role("navigation", name="Stages")
    rail.get_by_role("button", name=re.compile("Story.*compiled anew")).click(timeout=120_000)
    expect(page.locator(".story-anew")).to_contain_text("size mismatch at index 0. expected 3, actual 5")
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Second inputs")).to_have_value("input: f32[5, 4]")


def test_what_does_not_come_is_said_and_asked_for_again(visit: Visit, captured: Captured) -> None:
    page = visit("/", expect="the server responded with a status of 503")
    refused = {"story": True, "guards": True}

    def answer(route: Route) -> None:
        what = "guards" if "/guards/" in route.request.url else "story"
        if refused[what]:
            route.fulfill(status=503, json={"title": "Too busy", "detail": "Later."})
        else:
            route.continue_()

    page.route("**/story?*", answer)
    page.route("**/guards/*", answer)
    page.goto(f"/c/{captured('08_graph_breaks')}#v1?p=story")
    failed = page.get_by_role("alert").filter(has_text="This story cannot be told")
    expect(failed).to_contain_text("Too busy: Later.")
    refused["story"] = False
    failed.get_by_role("button", name="Try again").click()
    opened(page)
    card(page, 1).get_by_role("button", name="9 guards").click()
    expect(page.locator(".guard-panel:visible")).to_contain_text("Too busy: Later.")
    refused["guards"] = False
    page.locator(".guard-panel:visible").get_by_role("button", name="Try again").click()
    expect(guards(page)).to_be_visible()


def test_on_a_phone(visit: Visit, block: str) -> None:
    page = opened(visit(f"/c/{block}#v1?p=story&o=dynamo.0", viewport={"width": 390, "height": 800}, has_touch=True))
    story = page.locator(".story")
    expect(guards(page)).to_be_visible()
    box, window = story.bounding_box(), page.viewport_size
    assert box is not None and window is not None and box["x"] + box["width"] <= window["width"]
    wide = story.locator(".story-card, .story-python, .story-anew, .guard-panel").evaluate_all(
        "(all, width) => all.filter((each) => each.getBoundingClientRect().right > width).length", window["width"]
    )
    assert wide == 0
    card(page, 1).get_by_role("button", name=re.compile("^Dynamo")).first.tap()
    expect(page.get_by_role("region", name="Graph dynamo.0")).to_be_visible()
    expect(story).to_be_hidden()


def mark(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^Replay. {name}"))


def test_replay_marks_and_the_figures_behind_them(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=core_aten.0")
    own = mark(page, r"core_aten\.0: (same as|close to) eager, max abs [\d.e-]+, max rel [\d.e-]+ over 1 output$")
    expect(own).to_be_visible()
    expect(mark(page, "Core ATen: (same as|close to) eager")).to_be_visible()
    details = page.get_by_role("complementary")
    expect(details).to_contain_text("Replay")
    expect(details).to_contain_text("max abs")
    mark(page, "Joint:").click()
    box = page.get_by_role("dialog", name="Replay")
    expect(box.get_by_role("heading", name="Joint: replay")).to_be_visible()
    expect(box.get_by_role("row").nth(1)).to_contain_text(re.compile(r"(same as|close to) eager.*1 output, \d+ gradients"))
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(mark(page, "Joint:")).to_be_focused()
    page.keyboard.press("Enter")
    box.get_by_role("button", name="Joint", exact=True).click()
    expect(page.get_by_role("region", name="Graph joint.0")).to_be_visible()


def test_a_replay_that_was_not_compared_says_why(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('05_lstm')}#v1?p=eager.0")
    own = mark(page, r"eager\.0: not compared, it raised")
    expect(own).to_have_text("?")
    own.click()
    box = page.get_by_role("dialog", name="Replay")
    expect(box).to_contain_text("It was not compared with eager PyTorch.")
    box.get_by_text(re.compile("^it raised")).click()
    expect(box.locator(".trace")).to_contain_text("While executing")
    page.get_by_role("complementary").get_by_text("why not").wait_for()
