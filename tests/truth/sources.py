"""The submissions that are held against raw torch: examples, the cases of tests/cases, and torch's own exportdb."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from graphcap.graph.document import Options

ROOT = Path(__file__).parent.parent.parent
STAGES = ("eager", "dynamo", "export", "core_aten", "joint", "forward", "backward")

HUGE = "19_llama_70b"
"""The example that takes minutes: tests/capture/test_capture_huge.py holds two of its blocks against raw torch."""

SCRIPT = "20_training_step"
"""The example that names no model: tests/capture_scripts has its two calls."""

Key = tuple[Path, Options]


@dataclass(frozen=True)
class Case:
    """One submission. `id` is FOLDER/STEM; the file keeps its name when it is submitted."""

    id: str
    path: Path
    options: Options = Options()

    @property
    def key(self) -> Key:
        """What is run: cases may have it in common."""
        return self.path, self.options


def exportdb() -> Path:
    """The folder of torch's own examples, found without importing torch."""
    spec = importlib.util.find_spec("torch")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "_export" / "db" / "examples"


FOLDERS = {
    "examples": ROOT / "graphcap" / "web" / "examples",
    "cases": ROOT / "tests" / "cases",
    "hard": ROOT / "tests" / "cases" / "hard",
    "exportdb": exportdb(),
}


def cases() -> list[Case]:
    """Every case, sorted within its folder."""
    found = [
        Case(f"{name}/{path.stem}", path)
        for name, folder in FOLDERS.items()
        for path in sorted(folder.glob("*.py"))
        if path.stem not in ("__init__", HUGE, SCRIPT)
    ]
    assert len(found) > 100
    return found
