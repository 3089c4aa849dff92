"""The drawings that have a golden image: of which graph, and how it is shown. What else is needed to show one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
HARNESS = "tests/browser/golden/harness.html"
"""The page that draws, below the repository."""
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


def columns(graph: str) -> Any:
    """The columnar answer for a graph, as it was captured."""
    return json.loads((FOLDER / "graphs" / f"{graph}.json").read_text())


def image(name: str) -> Path:
    """The golden image of a picture."""
    return FOLDER / "images" / f"{name}.png"
