"""`python -m tests.browser.golden.remake`: draws every golden image anew. Look at each one that git says has changed.

`python -m tests.browser.golden.remake http://127.0.0.1:8000`: first captures the graphs anew on a running server; needed
when the columnar answer has another shape.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGS, CHROMIUM
from tests.browser.golden.pictures import FOLDER, GRAPHS, HARNESS, HEIGHT, PICTURES, WIDTH, columns, image
from tests.browser.repository import ROOT, site
from tests.browser.screenshots import ask


def remake_graphs(server: str) -> None:
    """Captures each example once, and keeps the graphs that are drawn."""
    from tests.browser.conftest import submit

    ids: dict[str, str] = {}
    for graph, (example, gid) in GRAPHS.items():
        if example not in ids:
            own = FOLDER / f"{example}.py"
            code = own if own.exists() else ROOT / "graphcap" / "web" / "examples" / f"{example}.py"
            ids[example] = submit(server, code.read_text(), f"{example}.py")
        answer = ask(f"{server}/api/captures/{ids[example]}/graphs/{gid}")
        (FOLDER / "graphs" / f"{graph}.json").write_text(json.dumps(answer, separators=(",", ":")) + "\n")


def remake_images() -> None:
    """Draws every picture and keeps it."""
    kept = {image(name) for name in PICTURES}
    for old in (FOLDER / "images").glob("*.png"):
        if old not in kept:
            old.unlink()
    with site() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for name, picture in PICTURES.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
            page.goto(f"{address}/{HARNESS}")
            page.wait_for_function("window.golden")
            page.evaluate("([columns, how]) => golden.show(columns, how)", [columns(picture.graph), picture.how])
            save(page.evaluate("() => golden.image()"), image(name))
            page.close()
        browser.close()


def save(url: str, path: Path) -> None:
    """Writes a PNG that came as a data URL."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(base64.b64decode(url.partition(",")[2]))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        remake_graphs(sys.argv[1].rstrip("/"))
    remake_images()
