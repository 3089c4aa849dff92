"""The drawings that have a golden image: of which graph, and how it is shown. What else is needed to show one."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
WIDTH, HEIGHT = 960, 640


class Picture(NamedTuple):
    """`graph`: a file of graphs/; `how`: options of `golden.show` (harness.js)."""

    graph: str
    how: dict[str, Any]


PICTURES: dict[str, Picture] = {
    "small": Picture("mlp-export", {}),
    "dark": Picture("mlp-joint", {"theme": "dark"}),
    "repeated-blocks": Picture("gpt-export", {}),
    "unfolded-from-afar": Picture("gpt-joint", {"folds": [], "open": "all", "fit": True}),
    "far-edges": Picture("gpt-joint", {"folds": [], "open": "all", "around": "getitem_4"}),
    "closed": Picture("gpt-joint", {"folds": [], "open": "none", "theme": "dark"}),
    "selected": Picture("gpt-export", {"select": ["layer_norm"], "around": "layer_norm"}),
    "views-hidden": Picture("gpt-joint", {"folds": ["repeats", "views"], "around": "addmm_1"}),
    "original-ops": Picture("gpt-joint", {"by": "op", "open": "all", "around": "native_layer_norm"}),
    "bodies": Picture("cond-export", {"select": ["cond"]}),
    "several-outputs": Picture("outputs-core_aten", {"around": "cond", "k": 1.7}),
    "shared-parameter": Picture("outputs-core_aten", {"select": ["p_tied_weight"], "around": "mm"}),
    "left-to-right": Picture("norm-joint", {"flow": "right", "fit": True}),
    "many-parameters": Picture("lstm-export", {"theme": "dark"}),
}

GRAPHS: dict[str, tuple[str, str]] = {
    "mlp-export": ("02_mlp", "export.0"),
    "mlp-joint": ("02_mlp", "joint.0"),
    "gpt-export": ("04_gpt", "export.0"),
    "gpt-joint": ("04_gpt", "joint.0"),
    "cond-export": ("07_cond", "export.0"),
    "norm-joint": ("12_batch_norm", "joint.0"),
    "lstm-export": ("05_lstm", "export.0"),
    "outputs-core_aten": ("several_outputs", "core_aten.0"),
}
"""File of graphs/ -> the example it was captured from (or the module of that name beside this file), and its GID."""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the repository without a log."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def site() -> Iterator[str]:
    """The repository over HTTP. Gives the address of the page that draws."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=ROOT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/tests/browser/golden/harness.html"
    server.shutdown()
    server.server_close()


def columns(graph: str) -> Any:
    """The columnar answer for a graph, as it was captured."""
    return json.loads((FOLDER / "graphs" / f"{graph}.json").read_text())


def image(name: str) -> Path:
    """The golden image of a picture."""
    return FOLDER / "images" / f"{name}.png"
