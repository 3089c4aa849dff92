"""What opening a large graph costs on the real page: time from the document to the first paint, bytes, memory.

    python benchmarks/viewer/opening.py [ROUNDS] [1k|10k|100k...]

Captures a small model and opens its page with a made-up joint graph of about 1,000, 10,000 and 100,000 nodes in place of its
own, ROUNDS times (5), each time in a new browser that has kept nothing and has no GPU; once as a graph opens by itself, once
with every group open. Prints as Markdown

- open: milliseconds from the moment the text of the document is in the page's hands to the painted frame, median and least;
  parsing, grouping, layout in the worker and drawing are in it (for the time from an address: peers.py)
- bytes: what the first view takes over the wire in all (page, styles, scripts, document), and the document alone, by node
- memory: once drawn and after a collection of garbage, the JavaScript heap of the page and of its worker with their array
  buffers; and all private memory of the process of the browser that draws the page.

GRAPHCAP_SITE in the environment names a server to measure, else one is started.
"""

from __future__ import annotations

import gzip
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import drawing
import servers
from playwright.sync_api import Browser, CDPSession, Page, Route, sync_playwright

LAYERS = {"1k": 9, "10k": 94, "100k": 940}
GRAPH = "export.0"
SMALL = """
import torch
model = torch.nn.Linear(2, 2)
example_args = (torch.ones(1, 2),)
"""

IN_HAND = """
const read = Response.prototype.json;
Response.prototype.json = async function () {
  const text = await this.text();
  if (decodeURIComponent(this.url).endsWith("/graphs/%s"))
    console.log(`measured hand ${performance.timeOrigin + performance.now()}`);
  return JSON.parse(text);
};
""".replace("%s", GRAPH)
"""`json()` in two steps, so that the one after the text has come can be timed from its start."""


class Opened(NamedTuple):
    """One opening: milliseconds, bytes on the wire, bytes of memory."""

    milliseconds: float
    wire: int
    heap: int
    private: int


def document(layers: int) -> bytes:
    """The answer of the API, compressed as the server would."""
    made = subprocess.run(["node", Path(__file__).with_name("made.js"), str(layers), GRAPH], capture_output=True, check=True)
    return gzip.compress(made.stdout, 6, mtime=0)


def opened(browser: Browser, address: str, content: bytes) -> Opened:
    """Open the page once."""
    context = drawing.fresh(browser, drawing.CANVAS + IN_HAND)
    page = context.new_page()
    session = context.new_cdp_session(page)
    wire = received(session)
    plain = gzip.decompress(content)  # what is put in place of an answer does not pass the browser's own decompression

    def answer(route: Route) -> None:
        route.fulfill(body=plain, content_type="application/json")

    page.route(f"**/graphs/{GRAPH}", answer)
    at: dict[str, float] = {}  # both by the page's own clock
    page.on("console", lambda said: said.text.startswith("measured ") and at.setdefault(*_measured(said.text)))
    drawing.first_drawing(page, address)
    page.wait_for_timeout(1500)  # what comes behind the first view: links, the source
    result = Opened(at["drawn"] - at["hand"], sum(wire) + len(content), heap(session, page), private(browser))
    context.close()
    return result


def _measured(said: str) -> tuple[str, float]:
    _, what, milliseconds = said.split()
    return what, float(milliseconds)


def received(session: CDPSession) -> list[int]:
    """Grows by the bytes of every answer that comes over the wire, but of those that are put in place of the server's."""
    sizes: list[int] = []
    replaced: set[str] = set()
    session.send("Network.enable")

    def asked(event: dict[str, Any]) -> None:
        if event["request"]["url"].endswith(f"/graphs/{GRAPH}"):
            replaced.add(event["requestId"])

    def ended(event: dict[str, Any]) -> None:
        if event["requestId"] not in replaced:
            sizes.append(int(event["encodedDataLength"]))

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.loadingFinished", ended)
    return sizes


def heap(session: CDPSession, page: Page) -> int:
    """Bytes of JavaScript, array buffers among them, of the page and of its workers, after a collection."""
    answers: list[dict[str, Any]] = []

    def attached(event: dict[str, Any]) -> None:
        for number, method in enumerate(("HeapProfiler.collectGarbage", "Runtime.getHeapUsage")):
            message = json.dumps({"id": number, "method": method})
            session.send("Target.sendMessageToTarget", {"message": message, "sessionId": event["sessionId"]})

    session.on("Target.attachedToTarget", attached)
    session.on("Target.receivedMessageFromTarget", lambda event: answers.append(json.loads(event["message"])))
    session.send("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False})
    page.wait_for_timeout(1500)
    workers = [answer["result"] for answer in answers if answer.get("id") == 1]
    assert len(workers) == len(page.workers) == 1, f"{len(workers)} of {len(page.workers)} workers said what they hold"
    return _heap(session) + sum(_size(each) for each in workers)


def _heap(session: CDPSession) -> int:
    session.send("HeapProfiler.collectGarbage")
    return _size(session.send("Runtime.getHeapUsage"))


def _size(usage: dict[str, Any]) -> int:
    return int(usage["usedSize"] + usage.get("backingStorageSize", 0))


def private(browser: Browser) -> int:
    """Bytes of memory that only the process that draws the page holds."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return max(_private(process["id"]) for process in processes if process["type"] == "renderer")


def _private(process: int) -> int:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))


def rows(address: str, rounds: int, size: str, layers: int, browsers: Callable[[], Browser]) -> None:
    """Print the two rows of one size: as it opens by itself, and with every group open."""
    content = document(layers)
    nodes = len(json.loads(gzip.decompress(content))["nodes"]["name"])
    for name, view in (("by itself", ""), ("all open", f"#v1?p={GRAPH}&o=*")):
        each = []
        for _ in range(rounds):
            browser = browsers()
            each.append(opened(browser, address + view, content))
            browser.close()
        took = [one.milliseconds for one in each]
        wire, heap, process = (statistics.median(of) for of in zip(*(one[1:] for one in each), strict=True))
        print(
            f"| {size}, {name} | {nodes:,} | {statistics.median(took):.0f} | {min(took):.0f} | {wire / nodes:.1f} |"
            f" {len(content) / nodes:.1f} | {heap / 1e6:.0f} | {process / 1e6:.0f} |",
            flush=True,
        )


def main() -> None:
    """Open every size."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    sizes = sys.argv[2:] or list(LAYERS)
    with tempfile.TemporaryDirectory() as folder, servers.graphcap() as site, sync_playwright() as playwright:
        model = Path(folder) / "small.py"
        model.write_text(SMALL)
        address = f"{site}/c/{servers.capture(site, model)}"
        print("| graph | nodes | open ms | least | bytes a node | its document | heap MB | process MB |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
        for size in sizes:
            rows(address, rounds, size, LAYERS[size], lambda: drawing.launch(playwright))


if __name__ == "__main__":
    main()
