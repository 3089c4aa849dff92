"""Modules joined into one file do what they do apart; what cannot be joined is refused by name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from flask import Flask

from graphcap.web.bundles.bundle import FOLDER, bundle
from graphcap.web.bundles.module import BundleError
from graphcap.web.bundles.styles import STYLES
from graphcap.web.services import EXTENSION

MODULES = {
    "js/entry.js": """
        // The forms that our modules use.
        import "./first.js";
        import * as deep from "./deep/values.js";
        import Queue from "./queue.js";
        import {
          one,
          two as zwei, // of two lines
        } from "./deep/values.js";
        import { passed, again } from "./deep/passes.js";
        import { word } from "../vendor/codemirror-0/codemirror.js";
        /** @typedef {import("./queue.js").default} Named no module is loaded by this */
        const late = async () => (await import("./deep/late.js")).late;
        console.log(one, zwei, deep.three(), [...deep.four()].join(), await_(), passed, again, new Queue().size, word);
        console.log(new URL("./worker.js", deep.here).href.replace(/^.*?\\/(?=js\\/|bundles\\/)/, ""));
        function await_() { return deep.Five.name; }
        const other = async () => (await import("./deep/other.js")).other;
        const here = async () => (await import("./queue.js")).default;
        const own = async () => (await import("./deep/own.js")).own;
        const all = Promise.all([late(), late(), other(), here(), own()]);
        all.then(([a, b, c, d, e]) => console.log("then", a, a === b, ...c, d === Queue, e));
    """,
    "js/first.js": 'console.log("first");\n',
    "js/queue.js": "export default class Queue {\n  size = 6;\n}\n",
    "js/deep/passes.js": """
        export { one as passed, three as also } from "./values.js";
        export { again };
        const again = "a";
    """,
    "js/deep/values.js": """
        /**
         * export const no = "a comment";
         */
        export const one = 1;
        const two = /** @type {number} */ (2);
        export { two };
        export function three() { return one + two; }
        export function* four() { yield 4; }
        export class Five {}
        export async function six() {}
        export const here = import.meta.url;
    """,
    "js/deep/late.js": """
        import { word } from "../../vendor/codemirror-0/codemirror.js";
        import { own } from "./own.js";
        import { one } from "./values.js";
        export const late = [word, own, one];
    """,
    "js/deep/other.js": """
        import { own } from "./own.js";
        import { late } from "./late.js";
        export const other = [own, late.length];
    """,
    "js/deep/own.js": 'console.log("late");\nexport const own = "own";\n',
    "js/worker.js": "",
    "vendor/codemirror-0/codemirror.js": 'export const word = "apart";\n',
}


def plain(text: str) -> str:
    """Without the indentation that it has here: imports and exports stand at the start of a line."""
    return re.sub(r"^ {8}", "", text, flags=re.MULTILINE).lstrip("\n")


def said(folder: Path, path: str) -> list[str]:
    """The lines that node prints when it runs a module."""
    ran = subprocess.run(["node", path], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    texts = {path: plain(text) for path, text in MODULES.items()}
    for path, text in {**texts, f"{FOLDER}/js/entry.js": bundle(texts, "js/entry.js")}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    apart = said(tmp_path, "js/entry.js")
    assert apart[:2] == ["first", "1 2 3 4 Five 1 a 6 apart"]
    assert apart[3:] == ["late", "then [ 'apart', 'own', 1 ] true own 3 true own"]
    joined = said(tmp_path, f"{FOLDER}/js/entry.js")
    assert [*joined[:2], *joined[3:]] == [*apart[:2], *apart[3:]]
    assert (apart[2], joined[2]) == ("js/deep/worker.js", f"{FOLDER}/js/deep/worker.js"), "a worker is a bundle as well"


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        (
            {"js/a.js": 'import { b } from "./b.js";\n', "js/b.js": ""},
            "js/a.js imports b from js/b.js, which does not export it",
        ),
        ({"js/a.js": 'import "./b.js";\n'}, "js/a.js imports js/b.js, which is not there"),
        ({"js/a.js": 'import "./b.js";\n', "js/b.js": 'import "./a.js";\n'}, "js/b.js imports js/a.js, which imports it"),
        ({"js/a.js": "const a = 1;\nexport let b = a;\n"}, "js/a.js:2: write this"),
        ({"js/a.js": 'export * from "./b.js";\n', "js/b.js": ""}, "js/a.js:1: write this"),
        ({"js/a.js": "export const { a } = globalThis;\n"}, "js/a.js:1: write this"),
        ({"js/a.js": 'await import("./b.js");\n'}, "js/a.js imports js/b.js, which is not there"),
        ({"js/a.js": "const b = import(address);\n"}, "js/a.js: write a module that comes late as"),
    ],
)
def test_what_cannot_be_joined_is_named(modules: dict[str, str], message: str) -> None:
    with pytest.raises(BundleError, match=re.escape(message)):
        bundle(modules, "js/a.js")


@pytest.mark.parametrize(("entry", "late"), [("js/standalone/start.js", 1), ("js/layout/worker.js", 0)])
def test_the_viewers_own_modules_are_joined(app: Flask, entry: str, late: int) -> None:
    files = app.extensions[EXTENSION].assets.files
    text = bundle({name: each.content.decode() for name, each in files.items() if name.endswith(".js")}, entry)
    assert not re.findall(r"^import ", text, re.MULTILINE), "only the editor stays apart, and that comes late"
    assert len(re.findall(r"\bawait import\(", text)) == late
    assert len(re.findall(r"^// js/", text, re.MULTILINE)) >= 40
    subprocess.run(["node", "--input-type=module", "--check"], input=text, text=True, check=True)


def test_every_style_sheet_is_in_a_page_and_those_of_a_capture_are_one(app: Flask) -> None:
    files = app.extensions[EXTENSION].assets.files
    templates = (Path(__file__).parents[2] / "templates").glob("*.html")
    named = {
        name for path in templates for name in re.findall(r'href="\{\{ assets \}\}/(css/[^"]+\.css)"', path.read_text())
    }
    parts = [part for path in STYLES for part in STYLES[path]]
    assert set(STYLES) <= named
    assert len(parts) == len(set(parts)) and not named & set(parts)
    assert {name for name in files if name.endswith(".css")} == named | set(parts)
    for path, each in STYLES.items():
        text = files[path].content.decode()
        places = [text.index(files[part].content.decode()) for part in each]
        assert places == sorted(places)
