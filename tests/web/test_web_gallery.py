from __future__ import annotations

import ast
from pathlib import Path

from flask.testing import FlaskClient

from graphcap.web.api.gallery import FOLDER, _example


def test_the_gallery(client: FlaskClient) -> None:
    found = client.get("/api/examples").get_json()["examples"]
    assert [example["id"] for example in found] == sorted(path.stem for path in FOLDER.glob("*.py"))
    assert len(found) == 20
    for example in found:
        assert sorted(example) == ["code", "id", "inputs", "text", "title"]
        assert example["title"] and "\n" not in example["title"]
        assert example["text"]
        assert ast.get_docstring(ast.parse(example["code"])) is None
        assert example["code"][0] not in "\n "


def test_the_first_one_is_sin_and_complete(client: FlaskClient) -> None:
    (first, *_) = client.get("/api/examples").get_json()["examples"]
    assert first["code"].startswith("import torch\n")
    assert first["code"].endswith("print(ep.graph)\n")


def test_an_example_with_inputs(tmp_path: Path) -> None:
    path = tmp_path / "20_mine.py"
    path.write_text('"""Mine: short\n\nTwo\nlines.\n"""\n\n# inputs: x: f32[2, 3]\nclass A: pass\n')
    example = _example(path)
    assert (example.title, example.text, example.inputs) == ("Mine: short", "Two\nlines.", "x: f32[2, 3]")
    assert example.code == "# inputs: x: f32[2, 3]\nclass A: pass\n"
