"""When a page first draws its graph. A script that runs before the page's own listens for it and says so on the console.

All three are asked the same: when has the browser painted the frame in which nodes stand where they belong? A canvas is
heard at its first call that draws, SVG at the first frame in which nodes have their places.
"""

from __future__ import annotations

import os
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WITHOUT_GPU = "--disable-gpu"
"""Not for Model Explorer, which draws by WebGL: it gets Chromium's own, in software."""

SAY = """
const say = (what) => {
  const channel = new MessageChannel(); // its message comes once the frame is painted
  channel.port1.onmessage = () => console.log(`measured ${what} ${performance.timeOrigin + performance.now()}`);
  channel.port2.postMessage(null);
};
"""

LARGE = 300
"""CSS pixels: a canvas that is narrower holds no graph (a map, an icon)."""

CANVAS = (
    SAY
    + """
const drawing = CanvasRenderingContext2D.prototype;
let heard = false;
for (const name of ["fillText", "fill", "stroke"]) {
  const was = drawing[name];
  drawing[name] = function (...args) {
    if (!heard && this.canvas.isConnected && this.canvas.clientWidth > LARGE) {
      heard = true;
      say("drawn");
    }
    return was.apply(this, args);
  };
}
""".replace("LARGE", str(LARGE))
)

SVG = (
    SAY
    + """
const look = () => {
  const nodes = document.querySelectorAll("g.node[transform]").length;
  if (nodes && document.body.classList.contains("default")) say("drawn");
  else requestAnimationFrame(look);
};
look();
"""
)

WEBGL = (
    SAY
    + """
let heard = false;
for (const kind of [WebGLRenderingContext, WebGL2RenderingContext])
  for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
    const was = kind.prototype[name];
    if (was)
      kind.prototype[name] = function (...args) {
        if (!heard && this.canvas.isConnected) {
          heard = true;
          say("drawn");
        }
        return was.apply(this, args);
      };
  }
"""
)


def launch(playwright: Playwright, *, gpu: bool = False) -> Browser:
    """A browser that asks nobody anything."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS if gpu else [*ARGS, WITHOUT_GPU])


def fresh(browser: Browser, script: str, **options: Any) -> BrowserContext:
    """A context with nothing kept, whose pages run `script` first."""
    context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
    context.add_init_script(script)
    return context


def first_drawing(page: Page, address: str, seconds: float = 120) -> float:
    """Milliseconds from asking for an address to the painted frame with the graph."""
    with page.expect_console_message(lambda said: said.text.startswith("measured drawn"), timeout=seconds * 1000) as drawn:
        before = page.evaluate("Date.now()")
        page.goto(address, wait_until="commit")
    return float(drawn.value.text.rsplit(" ", 1)[1]) - float(before)
