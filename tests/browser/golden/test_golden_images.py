"""Drawings look as they did, within a tolerance. `python -m tests.browser.golden.remake` draws the golden images anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.golden.pictures import GRAPHS, HARNESS, HEIGHT, PICTURES, WIDTH, columns, image
from tests.browser.golden.remake import save
from tests.browser.repository import site

pytestmark = pytest.mark.browser

MOST_DIFFERENT = 0.001
"""Part of the blocks of four by four pixels that may differ: a few letters, which another Chromium may draw otherwise."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with site() as found:
        yield f"{found}/{HARNESS}"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
    errors: list[str] = []
    found = context.new_page()
    found.on("pageerror", lambda error: errors.append(str(error)))
    found.goto(address)
    found.wait_for_function("window.golden")
    yield found
    context.close()
    assert errors == []


def draw(page: Page, name: str) -> None:
    picture = PICTURES[name]
    page.evaluate("([columns, how]) => golden.show(columns, how)", [columns(picture.graph), picture.how])


def different(page: Page, name: str) -> float:
    return float(page.evaluate("(url) => golden.compare(url)", f"/tests/browser/golden/images/{image(name).name}"))


@pytest.mark.parametrize("name", PICTURES)
def test_a_drawing_looks_as_it_did(page: Page, name: str, tmp_path: Path) -> None:
    draw(page, name)
    part = different(page, name)
    if part > MOST_DIFFERENT:
        save(page.evaluate("() => golden.image()"), tmp_path / f"{name}.png")
    assert part <= MOST_DIFFERENT, f"{part:.2%} of {name} differ: compare {tmp_path / name}.png with {image(name)}"


@pytest.mark.parametrize("how", ["an edge is missing", "a box is moved", "a text is another"])
def test_the_comparison_notices(page: Page, how: str) -> None:
    draw(page, "repeated-blocks")
    page.evaluate("(how) => golden.spoil(how)", how)
    assert different(page, "repeated-blocks") > MOST_DIFFERENT


def test_another_size_is_another_drawing(page: Page) -> None:
    page.set_viewport_size({"width": WIDTH - 40, "height": HEIGHT})
    draw(page, "small")
    assert different(page, "small") == 1


def test_every_image_has_its_picture_and_every_graph_is_drawn() -> None:
    assert {path.stem for path in image("any").parent.glob("*.png")} == set(PICTURES)
    assert {picture.graph for picture in PICTURES.values()} == set(GRAPHS)
