"""A hand on a page that shows nothing but a GraphView on a made-up graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

WIDTH, HEIGHT = 1200, 800

COUNT_PIXELS = """
([hex, near]) => {
  const canvas = document.querySelector("canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (wanted.every((value, i) => Math.abs(data[at + i] - value) <= near)) count++;
  return count;
}
"""

CENTRE = """
([name, k]) => {
  const { view } = harness;
  view.setCamera({ x: 0, y: 0, k });
  const { x, y, w, h } = harness.where(name);
  const { width, height } = view.port.surface.size;
  view.setCamera({ x: (x + w / 2 - width / 2) / k, y: (y + h / 2 - height / 2) / k, k });
}
"""


class Canvas:
    """A page of the harness. Things are called by the name of their node, or by the title of their group."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.run = page.evaluate

    def show(self, what: str | int, **options: Any) -> dict[str, Any]:
        """Shows `small`, or a transformer of so many blocks, and waits until it is drawn."""
        made = self.run("([what, options]) => harness.show(what, options)", [what, options])
        self.settle()
        return dict(made)

    def settle(self) -> None:
        """Waits until what was asked for is drawn."""
        self.run("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def where(self, name: str) -> dict[str, float]:
        """The box on the screen, CSS pixels."""
        found = self.run("(name) => harness.where(name)", name)
        assert found is not None, f"nothing called {name} is drawn"
        return dict(found)

    def point(self, name: str, down: float = 0.2) -> tuple[float, float]:
        """A point on an item's middle line, `down` of its height below its top."""
        box = self.where(name)
        return box["x"] + box["w"] / 2, box["y"] + box["h"] * down

    def click(self, name: str, down: float = 0.2) -> None:
        self.page.mouse.click(*self.point(name, down))

    def calls(self, *names: str) -> list[list[Any]]:
        """What the view reported under these names since this was last asked."""
        return [call for call in self.run("() => harness.calls.splice(0)") if call[0] in names]

    def names(self) -> list[str]:
        return list(self.run("() => harness.names()"))

    def index(self, name: str) -> int:
        return self.names().index(name)

    def first(self, label: str) -> str:
        """The first node with this label."""
        return next(name for name in self.names() if name.startswith(f"{label}_"))

    def group(self, index: int) -> str:
        """The path of a group."""
        return str(self.run("(index) => harness.tree().path[index]", index))

    def items(self) -> int:
        """How many boxes the scene has."""
        return int(self.run("() => harness.view.drawing.scene.items.count"))

    def camera(self) -> dict[str, float]:
        return dict(self.run("() => harness.view.camera()"))

    def world(self, x: float, y: float) -> tuple[float, float]:
        """The world point under a point of the canvas."""
        now = self.camera()
        return now["x"] + (x - WIDTH / 2) / now["k"], now["y"] + (y - HEIGHT / 2) / now["k"]

    def centre(self, name: str, k: float = 1) -> None:
        """Puts an item in the middle of the canvas."""
        self.run(CENTRE, [name, k])
        self.settle()

    def fits(self, box: dict[str, float]) -> bool:
        """Is the box wholly on the screen?"""
        return box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["w"] <= WIDTH and box["y"] + box["h"] <= HEIGHT

    def pixels(self, colour: str, near: int = 12) -> int:
        """How many pixels of the canvas have about this colour (hex)."""
        return int(self.run(COUNT_PIXELS, [colour, near]))

    def colour(self, name: str) -> str:
        """A colour of the theme that applies."""
        return str(
            self.run("(name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()", f"--graph-{name}")
        )

    def select(self, *names: str) -> None:
        """Selects nodes as the page does."""
        self.run("(nodes) => harness.view.setSelection(nodes)", [self.index(name) for name in names])
        self.settle()


OpenCanvas = Callable[..., Canvas]
