"""Frame times of the canvas: pans and zooms made-up graphs, laid out as on the page, in headless Chromium without a GPU;
prints the median, the 95th percentile and the worst frame.

    python benchmarks/canvas.py [device pixel ratio]

A frame is the time between two animation frames while the camera moves; script is the part spent in drawing calls.
`picture`: too much is on the screen to be drawn in a frame's time, so the frames of the move show a picture of it.
"""

from __future__ import annotations

import functools
import http.server
import os
import statistics
import sys
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGS = ["--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
SIZES = {"10k": 345, "100k": 3226}
"""Blocks of the made-up transformer: 29 nodes of the graph each."""

MOVE = """
async ([camera, dx, factor]) => {
  const view = harness.view;
  view.setCamera(camera === "fit" ? harness.fitted() : camera);
  await new Promise((go) => setTimeout(go, 600));
  const frames = [], script = [];
  let last = await new Promise(requestAnimationFrame);
  for (let i = 0; i < 90; i++) {
    const paint = view.port.frames.draw;
    let spent = 0;
    view.port.frames.draw = (...how) => { const from = performance.now(); paint(...how); spent = performance.now() - from; };
    if (factor !== 1) view.zoomBy(i % 20 < 10 ? factor : 1 / factor);
    else view.port.pan(i % 20 < 10 ? dx : -dx, dx / 3);
    const now = await new Promise(requestAnimationFrame);
    view.port.frames.draw = paint;
    frames.push(now - last);
    script.push(spent);
    last = now;
  }
  return { frames: frames.slice(3), script: script.slice(3), coarse: view.port.frames.slow, picture: view.painter.heavy };
}
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the repository without a log."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def serve() -> str:
    """Serve the repository on a free port; the address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def measure(page: Page, name: str, blocks: int) -> None:
    """Print one line per camera for a graph of so many blocks, everything open."""
    made = page.evaluate("(blocks) => harness.show(blocks, {expanded: true, real: true})", blocks)
    print(
        f"\n{name}: {made['nodes']:,} nodes, {made['items']:,} boxes, {made['edges']:,} edges; setGraph {made['ms']:.0f} ms"
    )
    cameras: dict[str, Any] = {
        "all of it": "fit",
        "dots": {"x": 4000, "y": 9000, "k": 0.08},
        "boxes": {"x": 3000, "y": 6000, "k": 0.25},
        "names": {"x": 1500, "y": 6000, "k": 0.45},
        "types": {"x": 1000, "y": 6000, "k": 1},
    }
    for label, camera in cameras.items():
        for move, dx, factor in (("pan", 9, 1), ("zoom", 0, 1.03)):
            times = page.evaluate(MOVE, [camera, dx, factor])
            frames, script = times["frames"], times["script"]
            said = [word for word in ("picture", "coarse") if times[word]]
            print(
                f"  {label:10} {move:5} frame median {statistics.median(frames):6.1f} ms,"
                f" 95 % under {statistics.quantiles(frames, n=20)[-1]:6.1f}, worst {max(frames):6.1f};"
                f" script median {statistics.median(script):5.1f} ms{''.join(f'; {word}' for word in said)}"
            )


def main() -> None:
    """Run the sizes one after another."""
    ratio = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    address = serve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900}, device_scale_factor=ratio)
        page.goto(f"{address}/tests/browser/canvas/harness.html")
        page.wait_for_function("window.harness")
        print(f"device pixel ratio {ratio}, load {os.getloadavg()[0]:.1f}")
        for name, blocks in SIZES.items():
            measure(page, name, blocks)
        browser.close()


if __name__ == "__main__":
    main()
