"""GET /api/examples: the gallery. Each example is a file of `web/examples`, described by its docstring."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import msgspec
from flask import Blueprint, Response

from graphcap.graph.python import tree_of
from graphcap.web.answering import answer

blueprint = Blueprint("gallery", __name__)

FOLDER = Path(__file__).parents[1] / "examples"

INPUTS = re.compile(r"^# inputs: (.+)$", re.MULTILINE)


class Example(msgspec.Struct, frozen=True):
    """One example: `title` and `text` are its docstring, `inputs` what its line `# inputs: ...` says, or ""."""

    id: str
    title: str
    text: str
    code: str
    inputs: str


class Examples(msgspec.Struct, frozen=True):
    """All examples, in the order of their file names."""

    examples: tuple[Example, ...]


@blueprint.get("/api/examples")
def all_examples() -> Response:
    """The gallery."""
    return answer(examples())


@functools.cache
def examples() -> Examples:
    """Every file of the folder."""
    return Examples(tuple(_example(path) for path in sorted(FOLDER.glob("[0-9]*.py"))))


def _example(path: Path) -> Example:
    """The code goes without its docstring: the page shows that above the editor."""
    source = path.read_text(encoding="utf-8")
    tree = tree_of(source)
    doc = ast.get_docstring(tree) or ""
    title, _, text = doc.partition("\n")
    code = "".join(source.splitlines(keepends=True)[tree.body[0].end_lineno :]).lstrip("\n") if doc else source
    inputs = INPUTS.search(code)
    return Example(path.stem, title.strip(), text.strip(), code, inputs[1].strip() if inputs else "")
