"""The import table is the architecture: what may import what, in Python and in JavaScript, function-local imports too."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
EVERYWHERE = {"settings", "errors"}

PYTHON: dict[str, set[str]] = {
    "settings": set(),
    "errors": set(),
    "graph": set(),
    "intake": {"graph"},
    "sandbox": set(),
    "capture": {"graph"},
    "analyses": {"graph"},
    "store": {"graph", "intake"},
    "jobs": {"graph", "intake", "sandbox", "analyses", "store"},
    "web": {"graph", "intake", "analyses", "store", "jobs"},
    # alone of all it may import `capture`, inside a function: a person's own process is no server
    "client": {"graph", "intake", "analyses", "store", "web", "capture"},
}
"""Room -> rooms of graphcap it may import, beside `settings`, `errors` and itself."""

THIRD_PARTY: dict[str, set[str]] = {
    "torch": {"capture"},
    "jax": {"capture"},
    "flask": {"web", "client"},
    "rich": {"client"},
    "werkzeug": {"web"},
    "brotli": {"web"},
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "networkx": {"analyses", "capture", "client"},  # torch's partitioner hands it the network that says why a value is saved
    "plotly": {"analyses"},
    "prometheus_client": {"web"},
}
"""Library -> the only rooms that may import it."""

JAVASCRIPT: dict[str, set[str]] = {
    "base": set(),
    "model": {"base"},
    "layout": {"base", "model"},
    "render": {"base", "model", "state"},
    "panels": {"base", "model", "state", "api"},
    "api": {"base"},
    "state": {"base", "model"},
    "main": {"base", "model", "layout", "render", "panels", "api", "state"},
    "standalone": {"api", "layout", "main"},
    "home": {"base", "model", "panels", "api", "state"},
}
"""Folder or top module of static/js -> folders and top modules it may import, beside itself."""

DOM = re.compile(r"\b(document|window|localStorage|HTMLElement)\b\s*[.\[]")
"""What `base`, `model` and `layout` may not touch."""


def python_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the whole name"
            assert node.module is not None
            yield node.module
            if node.module == "graphcap":
                yield from (f"graphcap.{alias.name}" for alias in node.names)


def room(path: Path) -> str:
    return path.relative_to(ROOT / "graphcap").parts[0].removesuffix(".py")


def python_files() -> list[Path]:
    files = [p for p in (ROOT / "graphcap").rglob("*.py") if "examples" not in p.parts]
    assert len(files) > 20
    return files


def test_python_rooms_import_only_what_the_table_allows() -> None:
    wrong = []
    for path in python_files():
        own = room(path)
        if own == "__init__":
            continue
        for name in python_imports(path):
            parts = name.split(".")
            if parts[0] == "graphcap" and len(parts) > 1 and not parts[1].startswith("_"):
                if parts[1] not in PYTHON[own] | EVERYWHERE | {own}:
                    wrong.append(f"{path.relative_to(ROOT)} imports {name}")
            elif parts[0] in THIRD_PARTY and own not in THIRD_PARTY[parts[0]]:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_every_python_room_stands_in_the_table() -> None:
    assert {room(p) for p in python_files()} - {"__init__"} == set(PYTHON)


def test_the_table_has_no_circles() -> None:
    done: set[str] = set()
    while len(done) < len(PYTHON):
        ready = {name for name, needs in PYTHON.items() if name not in done and needs <= done}
        assert ready, f"a circle among {set(PYTHON) - done}"
        done |= ready


IMPORT = re.compile(
    r"""^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"](?P<named>[^'"]+)['"]"""  # may run over several lines
    r"""|^\s*import\s*['"](?P<bare>[^'"]+)['"]"""
    r"""|\bimport\(\s*['"](?P<late>[^'"]+)['"]"""
    r"""|\bnew URL\(\s*['"](?P<worker>[^'"]+)['"]\s*,\s*import\.meta\.url""",
    re.MULTILINE,
)


def javascript_imports(path: Path) -> Iterator[str]:
    for match in IMPORT.finditer(strip_comments(path.read_text(encoding="utf-8"))):
        yield match["named"] or match["bare"] or match["late"] or match["worker"]


def test_every_form_of_import_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "a.js"
    file.write_text(
        "import {\n  a,\n  b,\n} from './one.js'\nimport './two.js';\nexport * from \"./three.js\";\n"
        "const c = await import('./four.js'); new Worker(new URL('./five.js', import.meta.url));\n"
        "export const d = 'from'; export const e = \"./no.js\";\n// import './no.js'\n",
        encoding="utf-8",
    )
    assert list(javascript_imports(file)) == [f"./{name}.js" for name in ("one", "two", "three", "four", "five")]


def test_javascript_rooms_import_only_what_the_table_allows() -> None:
    wrong = []
    base = ROOT / "static" / "js"
    files = sorted(base.rglob("*.js"))
    assert len(files) > 15
    for path in files:
        own = path.relative_to(base).parts[0].removesuffix(".js")
        for name in javascript_imports(path):
            if not name.startswith("."):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}: a path with its extension is needed")
                continue
            target = (path.parent / name).resolve()
            if not target.is_file():
                wrong.append(f"{path.relative_to(ROOT)} imports {name}, which is not there")
            elif (ROOT / "static" / "vendor") in target.parents:
                continue
            elif (other := target.relative_to(base).parts[0].removesuffix(".js")) not in JAVASCRIPT[own] | {own}:
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
        if own in {"base", "model", "layout"} and (found := DOM.search(strip_comments(path.read_text(encoding="utf-8")))):
            wrong.append(f"{path.relative_to(ROOT)} touches {found[1]}")
    assert not wrong, "\n".join(wrong)


def strip_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?<![:'\"])//[^\n]*", "", text, flags=re.DOTALL)


def test_the_app_does_not_import_torch() -> None:
    code = "import sys, app; print(sorted({'torch', 'jax', 'graphcap.capture'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
