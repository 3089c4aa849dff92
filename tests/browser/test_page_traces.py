"""Traces through a graph: lit, listed, alone, shared."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.looking_at import api, details, nodes, open_view, pane, settled

pytestmark = pytest.mark.browser

Captured = Callable[[str], str]


def test_a_trace_is_lit_listed_isolated_and_shared(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("02_mlp")
    page = open_view(visit, f"/c/{id}#v1?p=forward.0&s=forward.0:addmm_1", 1)
    found = api(served, f"{id}/trace/forward.0/addmm_1?how=ancestors")["found"][0]["nodes"]
    follow = page.get_by_role("toolbar", name="Follow addmm_1")
    follow.get_by_role("button", name="Ancestors").click()
    strip = pane(page, "forward.0").get_by_role("group", name="What is traced")
    expect(strip).to_contain_text(f"Ancestors of addmm_1{nodes(len(found))}")
    strip.get_by_role("button", name="List").click()
    drawer = page.locator("#drawer-trace")
    graph = api(served, f"{id}/graphs/forward.0")
    saved = [node for node, kind, _ in graph["returns"] if kind == "saved" and node in found]
    assert saved
    expect(drawer.locator(".trace-saved tbody tr")).to_have_count(len(saved))
    first = api(served, f"{id}/graphs/forward.0/nodes/{graph['nodes']['name'][min(saved)]}")["outputs"][0]
    expect(drawer.locator(".trace-saved tbody")).to_contain_text(f"[{', '.join(map(str, first['shape']))}]")
    expect(drawer.locator(".trace-nodes tbody tr")).to_have_count(len(found))
    strip.get_by_role("button", name="Isolate").click()
    expect(strip).to_contain_text(f"Only the ancestors of addmm_1{len(found)} of {nodes(len(graph['nodes']['name']))}")
    link = settled(page)
    assert "i=ancestors:forward.0:addmm_1" in link and "h=ancestors:forward.0:addmm_1" in link

    second = open_view(visit, f"/c/{id}{link}", 1)
    again = pane(second, "forward.0").get_by_role("group", name="What is traced")
    expect(again).to_contain_text("Only the ancestors of addmm_1")
    again.get_by_role("button", name="Show the whole graph").click()
    expect(again).to_contain_text("Ancestors of addmm_1")
    second.locator("body").press("Escape")
    second.locator("body").press("Escape")
    expect(again).to_be_hidden()
    second.go_back()
    expect(again).to_contain_text("Ancestors of addmm_1")


def test_a_path_between_two_nodes_by_picking_its_other_end(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("02_mlp")
    page = open_view(visit, f"/c/{id}#v1?p=forward.0&t=text&s=forward.0:addmm", 1)
    found = api(served, f"{id}/trace/forward.0/addmm?how=between&to=addmm_2")["found"][0]["nodes"]
    page.get_by_role("button", name="Path to…").click()
    expect(details(page)).to_contain_text("Select the other end of the path")
    page.locator(".text-line", has_text=re.compile(r"%addmm_2 :")).click()
    strip = pane(page, "forward.0").get_by_role("group", name="What is traced")
    expect(strip).to_contain_text(f"Paths between addmm and addmm_2{nodes(len(found))}")
    expect(details(page).get_by_role("heading", level=2)).to_have_text("addmm_2")
    page.get_by_role("button", name="Path to…").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Path to…")).to_be_visible()


def test_the_paths_between_two_selected_nodes(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("02_mlp")
    page = open_view(visit, f"/c/{id}#v1?p=forward.0&s=forward.0:addmm,addmm_2", 1)
    found = api(served, f"{id}/trace/forward.0/addmm?how=between&to=addmm_2")["found"][0]["nodes"]
    page.get_by_role("button", name="Paths between the two").click()
    strip = pane(page, "forward.0").get_by_role("group", name="What is traced")
    expect(strip).to_contain_text(f"Paths between addmm and addmm_2{nodes(len(found))}")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(strip).to_be_hidden()


def test_the_gradient_path_of_a_forward_node_leads_into_the_backward(served: str, visit: Visit, captured: Captured) -> None:
    id = captured("02_mlp")
    page = open_view(visit, f"/c/{id}#v1?p=forward.0&s=forward.0:addmm_1", 1)
    trace = api(served, f"{id}/trace/forward.0/addmm_1?how=gradient")
    path = next(each["nodes"] for each in trace["found"] if each["graph"] == "backward.0")
    page.get_by_role("button", name="Gradient path").click()
    expect(page.locator(".graph-canvas")).to_have_count(2)
    strip = pane(page, "backward.0").get_by_role("group", name="What is traced")
    expect(strip).to_contain_text(f"Gradient path of addmm_1{nodes(len(path))}")
    strip.get_by_role("button", name="List").click()
    drawer = page.locator("#drawer-trace")
    expect(drawer).to_contain_text(f"{len(trace['gradients'])} gradients at its end")
    expect(drawer.locator(".trace-gradients").get_by_role("button", name="layers.2.weight")).to_be_visible()
    expect(drawer).to_contain_text(f"{len(trace['saved'])} saved tensors")
    strip.get_by_role("button", name="Isolate").click()
    expect(strip).to_contain_text("Only the gradient path of addmm_1")
    link = settled(page)
    second = open_view(visit, f"/c/{id}{link}", 2)
    expect(pane(second, "backward.0").get_by_role("group", name="What is traced")).to_contain_text(f"{len(path)} of")
    drawer.locator(".trace-gradients").get_by_role("button", name="layers.2.weight").click()
    expect(page).to_have_url(re.compile("s=backward.0:"))


def test_a_trace_that_finds_nothing_leads_back_to_the_whole_graph(visit: Visit, captured: Captured) -> None:
    page = visit(f"/c/{captured('02_mlp')}#v1?p=forward.0&i=ancestors:forward.0:gone")
    expect(pane(page, "forward.0")).to_contain_text("There are no ancestors of gone here")
    page.get_by_role("button", name="Show the whole graph").click()
    expect(page.locator(".graph-canvas")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("addmm")
    expect(page.locator(".search-said")).to_contain_text("found")
