"""What the tooltip says of the part of a box that the pointer is over."""

from __future__ import annotations

import pytest
from canvaspage import Canvas
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def hover(canvas: Canvas, name: str, down: float) -> None:
    canvas.page.mouse.move(*canvas.point(name, down))


@pytest.mark.parametrize(
    ("name", "down", "said"),
    [
        ("cond_8", 0.2, "Double-click or press Enter to go into what it runs"),
        ("cond_8", 0.6, "true_graph_0"),
        ("cond_8", 0.85, "Click to go in; the names above the drawing lead back"),
        ("conv2d_3", 0.6, "read by conv2d_3 (argument 1)"),
    ],
)
def test_the_tooltip_is_about_what_is_under_the_pointer(canvas: Canvas, name: str, down: float, said: str) -> None:
    canvas.show("small")
    hover(canvas, name, down)
    expect(canvas.page.locator(".graph-tooltip")).to_contain_text(said)


def test_from_one_chip_to_the_next_the_tooltip_follows(canvas: Canvas) -> None:
    canvas.show("small")
    tip = canvas.page.locator(".graph-tooltip")
    hover(canvas, "cond_8", 0.6)
    expect(tip).to_contain_text("true_graph_0")
    hover(canvas, "cond_8", 0.85)
    expect(tip).to_contain_text("false_graph_0")
    canvas.page.mouse.move(5, 5)
    expect(tip).not_to_be_visible()
