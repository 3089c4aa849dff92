"""The same `.pt2` from its address to the first drawing: graphcap beside Model Explorer and Netron, without a GPU.

    python benchmarks/viewer/peers.py [ROUNDS] [SCREENSHOTS] [resnet50|gpt12...]

Installs both peers from PyPI into an environment of their own (a folder of the system's temporary one), exports a ResNet-50
and a GPT of twelve layers, and opens each with all three, one after another, ROUNDS times (5), each time in a browser that
has kept nothing. Every server runs already. graphcap captured the model before: that time is printed apart, as it is spent
once, and not by whoever opens the address. Model Explorer converts the file when asked for it, Netron reads it in the page.
Prints the median of every one and its first time, when its server had shown nothing yet, and how many times as long as
graphcap these are. The last line is a page that fetches nothing and draws one triangle: what the browser itself takes.
With a folder for SCREENSHOTS it keeps what a page looked like once it had drawn. GRAPHCAP_SITE in the environment names a
server to measure, else one is started.
"""

from __future__ import annotations

import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import drawing
import servers
from playwright.sync_api import Browser, sync_playwright

MODELS = {"resnet50": "ResNet-50", "gpt12": "GPT, 12 layers"}
OURS = "graphcap, opened"


class Viewer(NamedTuple):
    """Something that shows a model: its name, the address to open (made anew each round), how its drawing is heard."""

    name: str
    address: Callable[[], str]
    script: str
    browser: Browser
    cookies: tuple[str, ...] = ()


def opened(viewer: Viewer, picture: Path | None) -> float:
    """Milliseconds to its first drawing, in a browser that has kept nothing."""
    context = drawing.fresh(viewer.browser, viewer.script)
    address = viewer.address()
    context.add_cookies([{"name": name, "value": "1", "url": address} for name in viewer.cookies])
    page = context.new_page()
    took = drawing.first_drawing(page, address)
    if picture:
        page.wait_for_timeout(1000)
        page.screenshot(path=picture)
    context.close()
    return took


def compare(model: Path, rounds: int, browsers: tuple[Browser, Browser], site: str, pictures: Path | None) -> None:
    """Print the table of one model."""
    plain, webgl = browsers
    before = time.monotonic()
    made = servers.capture(site, model)
    captured = time.monotonic() - before
    with contextlib.ExitStack() as stack:
        theirs = [stack.enter_context(servers.model_explorer(model)), stack.enter_context(servers.netron(model))]
        empty = stack.enter_context(servers.floor())
        viewers = [
            Viewer(OURS, lambda: f"{site}/c/{made}", drawing.CANVAS, plain),
            Viewer("Model Explorer", lambda: theirs[0], drawing.WEBGL, webgl),
            Viewer("Netron", lambda: theirs[1], drawing.SVG, plain, ("consent",)),
            Viewer("a page of one triangle", lambda: empty, drawing.CANVAS, plain),
        ]
        times: dict[str, list[float]] = {viewer.name: [] for viewer in viewers}
        for i in range(rounds):
            for viewer in viewers:
                picture = pictures / f"{model.stem}-{viewer.name.split(',')[0]}.png" if pictures and i == 0 else None
                times[viewer.name].append(opened(viewer, picture))
    ours = statistics.median(times[OURS])
    size = model.stat().st_size / 1e6
    print(f"\n{MODELS[model.stem]} ({size:.0f} MB), captured by graphcap at every stage in {captured:.0f} s\n")
    print("| | median ms | least | times graphcap | first time | times graphcap |\n|---|--:|--:|--:|--:|--:|")
    for name, each in times.items():
        median = statistics.median(each)
        first = f"{each[0]:.0f} | {each[0] / times[OURS][0]:.1f}"
        print(f"| {name} | {median:.0f} | {min(each):.0f} | {median / ours:.1f} | {first} |")


def main() -> None:
    """Run both models."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    servers.peers()
    folder = servers.PEERS / "models"
    if not folder.exists():
        subprocess.run([sys.executable, Path(__file__).with_name("models.py"), folder], check=True)
    with servers.graphcap() as site, sync_playwright() as playwright:
        browsers = drawing.launch(playwright), drawing.launch(playwright, gpu=True)
        for name in sys.argv[3:] or MODELS:
            compare(folder / f"{name}.pt2", rounds, browsers, site, pictures)


if __name__ == "__main__":
    main()
