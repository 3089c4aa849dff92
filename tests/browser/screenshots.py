"""`python -m tests.browser.screenshots http://127.0.0.1:8000`: takes the README's pictures anew from a running server."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Route, sync_playwright

from tests.browser.conftest import ARGS, CHROMIUM

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "screenshots"
MADE = ROOT / "benchmarks" / "viewer" / "made.js"

PICTURES: dict[str, tuple[str, str, str]] = {
    "export": ("04_gpt", "#v1?p=export.0&s=export.0:layer_norm", "light"),
    "both-ways": ("04_gpt", "#v1?p=forward.0&p=backward.0&t=text", "light"),
    "followed": ("04_gpt", "#v1?p=export.0&p=core_aten.0&p=backward.0&s=export.0:layer_norm&t=text", "dark"),
    "found": (
        "04_gpt",
        "#v1?p=export.0&i=found:export.0:layer_norm -> linear -> gelu:1&q=layer_norm -> linear -> gelu&t=modules",
        "light",
    ),
    "mirror": ("04_gpt", "#v1?p=mirror.0", "light"),
    "story": ("08_graph_breaks", "#v1?p=story", "light"),
    "breaks": ("08_graph_breaks", "#v1?p=dynamo.1&d=breaks", "dark"),
    "decomposed": (
        "10_decompositions",
        "#v1?p=export.0&p=core_aten.0&b=op&o=rms_norm/rms_norm&s=export.0:rms_norm&t=modules",
        "light",
    ),
    "charts": ("04_gpt", "#v1?p=joint.0&b=op&k=saved&d=charts.saved", "dark"),
    "refused": ("09_export_refuses", "#v1?p=export&t=source", "light"),
}
"""Name -> example, view, colour scheme."""

WHOLE = "&o=*&n=&t="
"""All groups open, nothing folded, the left side closed."""

SIZES: dict[str, tuple[str, str, int]] = {
    "nodes-30": ("02_mlp", "#v1?p=core_aten.0" + WHOLE, 0),
    "nodes-500": ("04_gpt", "#v1?p=joint.0" + WHOLE, 0),
    "nodes-10000": ("01_sin", "#v1?p=export.0" + WHOLE, 94),
    "nodes-100000": ("01_sin", "#v1?p=export.0" + WHOLE, 940),
}
"""Name -> example, view, and the layers of a made-up joint graph (benchmarks/viewer/made.js) that is shown instead."""


FORM = """import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes: int, width: int = 64, *, dropout: float = 0.1):
        super().__init__()
        self.embed = nn.Embedding(1000, width)
        self.block = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout, batch_first=True)
        self.head = nn.Linear(width, classes)

    def forward(self, ids):
        return self.head(self.block(self.embed(ids)).mean(1))
"""
"""What stands in the form: a class that needs an argument, and whose inputs can be guessed."""

LOG = [ROOT / "tests" / "capture_logs" / "logged" / name for name in ("train.log.gz", "train.py")]
LOG_VIEW = "#v1?p=dynamo.0&p=post_grad.0&d=compilations"


def main(server: str) -> None:
    """Captures each example once, then opens its views."""
    examples = {example for example, *_ in (*PICTURES.values(), *SIZES.values())}
    ids = {example: captured(server, example) for example in sorted(examples)}
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for name, (example, view, scheme) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1400, "height": 860}, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(f"{server}/c/{ids[example]}{view}")
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(1500)  # the drawing sharpens when it comes to rest
            page.screenshot(path=FOLDER / f"{name}.png")
            page.close()
        for name, (example, view, layers) in SIZES.items():
            page = browser.new_page(viewport={"width": 1400, "height": 860})
            if layers:
                made = subprocess.run(["node", MADE, str(layers), "export.0"], capture_output=True, check=True).stdout
                page.route("**/graphs/export.0", functools.partial(_answer, made))
            page.goto(f"{server}/c/{ids[example]}{view}")
            page.locator(".graph-canvas").wait_for(timeout=60_000)
            page.wait_for_timeout(8000)  # 100,000 nodes with every group open
            page.keyboard.press("f")
            page.wait_for_timeout(3000)
            page.locator(".graph-host").first.screenshot(path=FOLDER / f"{name}.png")
            page.close()
        for take in (take_form, take_log):
            take(server, browser)
        browser.close()


def take_form(server: str, browser: Browser) -> None:
    """The form with a class, one argument given and the inputs guessed."""
    page = browser.new_page(viewport={"width": 1400, "height": 860})
    page.goto(server)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(FORM)
    page.locator("#construct-classes").fill("10")
    page.locator(".guess-mark:visible").wait_for()
    page.locator(".cm-content").evaluate("editor => editor.closest('.cm-scroller').scrollTo(0, 0)")
    page.screenshot(path=FOLDER / "form.png")
    page.close()


def take_log(server: str, browser: Browser) -> None:
    """A log of a real run: what Dynamo saw, what Inductor generates code of, and the times of compiling."""
    page = browser.new_page(viewport={"width": 1400, "height": 860})
    page.goto(server)
    page.locator("input[type=file]").first.set_input_files(LOG)
    page.locator("#capture").click()
    page.wait_for_url("**/c/*")
    page.locator(".top-status", has_text="done").wait_for(timeout=180_000)
    page.goto(page.url.partition("#")[0] + LOG_VIEW)
    page.reload()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1500)
    page.screenshot(path=FOLDER / "log.png")
    page.close()


def _answer(made: bytes, route: Route) -> None:
    route.fulfill(body=made, content_type="application/json")


def captured(server: str, example: str) -> str:
    """The id of a finished capture of an example."""
    code = next(e["code"] for e in ask(f"{server}/api/examples")["examples"] if e["id"] == example)
    id = ask(f"{server}/api/captures", {"code": code})["id"]
    while ask(f"{server}/api/captures/{id}")["status"] in ("queued", "running"):
        time.sleep(0.5)
    return str(id)


def ask(url: str, body: object = None) -> Any:
    """JSON of a GET, or of a POST with a JSON body."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
