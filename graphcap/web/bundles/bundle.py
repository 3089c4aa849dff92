"""Joins an entry and the modules it imports, directly and through others, into one module.

Every module becomes a function that runs once, imported ones first, and returns what it exports; imports become constants.
So nothing is renamed, a stack trace names the functions as they are written, and the text stays readable: `tests/js` and the
harness of the canvas run the same modules as they are. What lies in `static/vendor` and is large is left where it is.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from graphcap.web.bundles.module import BundleError, Import, Module, read

ENTRIES = ("js/main.js", "js/layout/worker.js")
"""What a page starts with. The page of a capture, and its layout worker, which `js/layout/client.js` names beside itself."""

FOLDER = "bundles"
"""Bundles stand below it under their entries' paths, so that `new URL("./worker.js", import.meta.url)` leads to a bundle."""

APART = re.compile(r"vendor/codemirror-")
"""Modules that stay files of their own: the editor is as large as all of ours, and two pages share it."""

OWN_ADDRESS = re.compile(r"\bimport\.meta\.url\b")
TYPES = re.compile(r"/\*.*?\*/", re.DOTALL)  # JSDoc names types as import("./file.js")
DYNAMIC = re.compile(r"\bimport\(")


def bundle(texts: Mapping[str, str], entry: str) -> str:
    """The text of one module that does what `entry` does. `texts` are the files below `static/` by their paths.

    Raises BundleError where a module imports what is not there, in a circle, or in a form that is not known.
    """
    modules = _ordered(texts, entry)
    number = {path: f"$m{i}" for i, path in enumerate(modules)}
    parts = [_whole(path, number[path], entry) for path, module in modules.items() if module is None]
    parts += [_joined(module, modules, number, entry) for module in modules.values() if module is not None]
    return "".join(parts)


def _ordered(texts: Mapping[str, str], entry: str) -> dict[str, Module | None]:
    """Every module behind the entry, imported ones first; None for what stays apart."""
    done: dict[str, Module | None] = {}
    begun: dict[str, tuple[Module, Iterator[Import]]] = {}
    waiting = [entry]
    while waiting:
        path = waiting[-1]
        if path not in begun:
            module = read(path, texts[path])
            _refuse(module)
            begun[path] = module, iter(module.imports)
        module, imports = begun[path]
        came = next(imports, None)
        if came is None:
            done[path] = module
            waiting.pop()
        elif came.path not in texts:
            raise BundleError(f"{path} imports {came.path}, which is not there")
        elif APART.match(came.path):
            done[came.path] = None
        elif came.path not in done:
            if came.path in begun:
                raise BundleError(f"{path} imports {came.path}, which imports it, directly or through others")
            waiting.append(came.path)
    return done


def _refuse(module: Module) -> None:
    """What would do something else in a bundle."""
    if DYNAMIC.search(TYPES.sub("", module.body)):
        raise BundleError(f"{module.path} imports a module when it is needed: a bundle would run that one twice")


def _joined(module: Module, modules: Mapping[str, Module | None], number: Mapping[str, str], entry: str) -> str:
    taken = "".join(_taken(module, came, modules[came.path], number[came.path]) for came in module.imports)
    given = _fields((outside, inside) for inside, outside in module.exports)
    body = OWN_ADDRESS.sub(f'new URL("{_from(entry, f"{FOLDER}/{module.path}")}", import.meta.url).href', module.body)
    return f"// {module.path}\nconst {number[module.path]} = (() => {{\n{taken}{body}return {{ {given} }};\n}})();\n"


def _taken(module: Module, came: Import, other: Module | None, number: str) -> str:
    if other is not None:
        there = {outside for _, outside in other.exports}
        if missing := [name for name, _ in came.names if name not in there | {"*"}]:
            raise BundleError(f"{module.path} imports {missing[0]} from {other.path}, which does not export it")
    if not came.names:
        return ""
    if came.names[0][0] == "*":
        return f"const {came.names[0][1]} = {number};\n"
    return f"const {{ {_fields(came.names)} }} = {number};\n"


def _fields(pairs: Iterable[tuple[str, str]]) -> str:
    """Between the braces of an object, or of a pattern that takes one apart."""
    return ", ".join(field if field == name else f"{field}: {name}" for field, name in pairs)


def _whole(path: str, number: str, entry: str) -> str:
    return f'import * as {number} from "{_from(entry, path)}";\n'


def _from(entry: str, path: str) -> str:
    """`path` as the bundle of `entry` names it."""
    relative = posixpath.relpath(path, posixpath.dirname(f"{FOLDER}/{entry}"))
    return relative if relative.startswith("..") else f"./{relative}"
