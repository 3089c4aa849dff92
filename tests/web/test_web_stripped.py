"""Scripts and style sheets go out without comments, and are the same programs, line for line."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from graphcap.web import assets
from graphcap.web.app import ROOT
from graphcap.web.bundles.stripped import stripped, stripped_sheet

STATIC = ROOT / "static"
TOKENS = Path(__file__).with_name("tokens.cjs")

CASES = {
    "a; // c\n  b;": "a;\nb;",
    "/** c\n * d */\nexport const a = /** @type {number} */ (2);": "\n\nexport const a = (2);",
    "return/* c */a": "return a",
    "a/*\n*/b": "a\nb",
    "a / b / c // d": "a / b / c",
    "f(/[/*'\"`]\\//g, '//', \"/* '\"); // c": "f(/[/*'\"`]\\//g, '//', \"/* '\");",
    "x = y++ / 2; return /'/.test(z) / 3 // c": "x = y++ / 2; return /'/.test(z) / 3",
    "`  // no\n  ${ a({ b: `  ${c /* yes */}  ` }) // yes\n  }  /* no */ \\` ${d}`": (
        "`  // no\n  ${ a({ b: `  ${c }  ` })\n}  /* no */ \\` ${d}`"
    ),
    "`$${a}$` // c": "`$${a}$`",
    "'it\\'s // no' // yes": "'it\\'s // no'",
    "a.of / b // c '": "a.of / b",
}


@pytest.mark.parametrize("text", CASES)
def test_only_comments_and_indentation_go(text: str) -> None:
    assert stripped(text) == CASES[text]
    assert stripped(CASES[text]) == CASES[text]


def test_empty_lines_go_where_nobody_counts_lines() -> None:
    assert stripped("// a\n\n/* b\n */\n  c;\n\n\n`\n\n`;\n", lines=False) == "c;\n`\n\n`;\n"


def test_every_module_is_the_same_program(static: assets.Assets) -> None:
    own = [name for name in static.files if name.startswith("js/") and name.endswith(".js")]
    pairs = [((STATIC / name).read_text(), static.files[name].content.decode()) for name in own]
    assert len(pairs) > 250
    assert sum(len(sent) for _, sent in pairs) < 0.75 * sum(len(text) for text, _ in pairs)
    other = ("`a // b`;\nc;", "`a`;\nc;"), ("a;\n\nb;", "a;\nb;"), ("a;\nb;", "a;  \n  b; // c")
    command = ["node", "--expose-internals", TOKENS]
    ran = subprocess.run(command, input=json.dumps([*other, *pairs]), capture_output=True, text=True, check=True)
    assert [own[at - 3] if at > 2 else at for at in json.loads(ran.stdout)] == [0, 1]


@pytest.mark.parametrize(
    ("text", "less"),
    [
        ("/* a */\n.b { /* c */\n  d: e; }\n", "\n.b {\nd: e; }\n"),
        ('.a { content: "/* b */"; b: url(data:c/*d*/e) }', '.a { content: "/* b */"; b: url(data:c/*d*/e) }'),
        (".a/* b */.c { width: calc(1px /* d */ + 2px) }", ".a .c { width: calc(1px + 2px) }"),
    ],
)
def test_a_sheet_too(text: str, less: str) -> None:
    assert stripped_sheet(text) == less


def test_every_sheet_says_the_same(static: assets.Assets) -> None:
    def said(text: str) -> str:
        return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)).strip()

    for path in (STATIC / "css").glob("*.css"):
        text, sent = path.read_text(), static.files[f"css/{path.name}"].content.decode()
        assert (said(sent), sent.count("\n")) == (said(text), text.count("\n")), path.name
        assert "/*" not in sent


def test_what_others_wrote_goes_out_as_it_is(static: assets.Assets) -> None:
    vendored = [name for name in static.files if name.startswith("vendor/")]
    assert len(vendored) > 3
    for name in vendored:
        assert static.files[name].content == (STATIC / name).read_bytes()


def test_for_debugging_everything_does(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("a; // b\n")
    assert assets.read(tmp_path).files["a.js"].content == b"a;\n"
    assert assets.read(tmp_path, whole=True).files["a.js"].content == b"a; // b\n"
