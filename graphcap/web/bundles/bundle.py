"""Joins an entry and the modules it imports, directly and through others, into one module: for the viewer in one HTML file.

Pages load native modules. A file opened from disk can load none, as each would be another origin's.

Every module becomes a function that runs once, imported ones first, and returns what it exports; imports become constants.
So nothing is renamed, a stack trace names the functions as they are written, and the text stays readable: `tests/js` and the
harness of the canvas run the same modules as they are. What lies in `static/vendor` and is large is left where it is.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from graphcap.web.bundles.module import LATE, BundleError, Import, Module, read, resolved

FOLDER = "bundles"
"""A bundle is as if it stood below this, under its entry's path: from there it names what stays apart."""

APART = re.compile(r"vendor/codemirror-")
"""Modules that stay files of their own: the editor is as large as all of ours, and is read when it is needed."""

OWN_ADDRESS = re.compile(r"\bimport\.meta\.url\b")
DYNAMIC = re.compile(r"\bimport\(")


def bundle(texts: Mapping[str, str], entry: str) -> str:
    """The text of one module that does what `entry` does. `texts` are the files below `static/` by their paths.

    What only an `await import(...)` needs is in it too, but runs, and fetches what stays apart, when that is first reached.
    Raises BundleError where a module imports what is not there, in a circle, or in a form that is not known.
    """
    return _Bundle(texts, entry).text()


class _Bundle:
    """The modules found so far, each under the name that the bundle gives it; None for one that stays apart."""

    def __init__(self, texts: Mapping[str, str], entry: str) -> None:
        self._texts = texts
        self._entry = entry
        self._modules: dict[str, Module | None] = {}
        self._names: dict[str, str] = {}
        self._numbers = itertools.count()
        self._late: dict[str, str] = {}
        """By path of a module that is imported late the function that runs it."""
        self._owner: dict[str, str] = {}
        """The entry, or the late module, in whose function a module stands."""

    def text(self) -> str:
        """The entry with what it imports, then one function for every module that comes late."""
        now = self._add(self._entry)
        whole = [f'import * as {self._names[path]} from "{self._from(path)}";\n' for path in now if not self._modules[path]]
        joined = "".join(self._joined(path) for path in now if self._modules[path])
        parts: list[str] = []
        while len(parts) < len(self._late):  # each may find more
            parts.append(self._run_late(*list(self._late.items())[len(parts)]))
        late = [self._names[path] for path, owner in self._owner.items() if owner != self._entry]
        variables = "".join(f"let {name};\n" for name in [*(f"{run}Ran" for run in self._late.values()), *late])
        return "".join([*whole, variables, joined, *parts])

    def _run_late(self, path: str, run: str) -> str:
        """A function that runs once what only `path` needs, after the late modules that hold the rest of it."""
        waits: set[str] = set()
        steps = []
        for each in [] if path in self._modules else self._add(path, waits):
            here = self._modules[each]
            steps.append(self._joined(each) if here else f'{self._names[each]} = await import("{self._from(each)}");\n')
        if not steps and self._owner[path] in self._late:
            waits.add(self._late[self._owner[path]])
        inside = "".join([*(f"await {other}();\n" for other in sorted(waits)), *steps])
        return (
            f"function {run}() {{\nreturn ({run}Ran ??= (async () => {{\n{inside}return {self._names[path]};\n}})());\n}}\n"
        )

    def _add(self, entry: str, waits: set[str] | None = None) -> list[str]:
        """The modules behind `entry` that are not in yet, imported ones first. `waits` gets the functions of late modules
        that hold others of them."""
        done: dict[str, Module | None] = {}
        begun: dict[str, tuple[Module, Iterator[Import]]] = {}
        waiting = [entry]
        while waiting:
            path = waiting[-1]
            if path not in begun:
                module = self._read(path)
                begun[path] = module, iter(module.imports)
            module, imports = begun[path]
            came = next(imports, None)
            if came is None:
                done[path] = module
                waiting.pop()
            elif came.path not in self._texts:
                raise BundleError(f"{path} imports {came.path}, which is not there")
            elif APART.match(came.path) and came.path not in self._modules:
                done[came.path] = None
            elif came.path in self._modules:
                if waits is not None and self._owner[came.path] in self._late:
                    waits.add(self._late[self._owner[came.path]])
            elif came.path not in done:
                if came.path in begun:
                    raise BundleError(f"{path} imports {came.path}, which imports it, directly or through others")
                waiting.append(came.path)
        return self._keep(done, entry)

    def _read(self, path: str) -> Module:
        module = read(path, self._texts[path])
        if len(module.late) < len(DYNAMIC.findall(module.body)):
            raise BundleError(f"{path}: write a module that comes late as `await import(...)` of a plain text")
        for late in module.late:
            if late not in self._texts:
                raise BundleError(f"{path} imports {late}, which is not there")
            self._late.setdefault(late, f"$late{len(self._late)}")
        return module

    def _keep(self, done: Mapping[str, Module | None], owner: str) -> list[str]:
        for path, module in done.items():
            self._modules[path] = module
            self._owner[path] = owner
            self._names[path] = f"$m{next(self._numbers)}"
        return list(done)

    def _joined(self, path: str) -> str:
        module = self._modules[path]
        assert module is not None
        taken = "".join(self._taken(module, came) for came in module.imports)
        given = _fields((outside, inside) for inside, outside in module.exports)
        body = OWN_ADDRESS.sub(f'new URL("{self._from(f"{FOLDER}/{path}")}", import.meta.url).href', module.body)
        body = LATE.sub(lambda match: f"await {self._late[resolved(path, match['path'])]}()", body)
        declared = "const " if self._owner[path] == self._entry else ""  # late ones have their variables outside
        return f"// {path}\n{declared}{self._names[path]} = (() => {{\n{taken}{body}return {{ {given} }};\n}})();\n"

    def _taken(self, module: Module, came: Import) -> str:
        other = self._modules[came.path]
        if other is not None:
            there = {outside for _, outside in other.exports}
            if missing := [name for name, _ in came.names if name not in there | {"*"}]:
                raise BundleError(f"{module.path} imports {missing[0]} from {other.path}, which does not export it")
        if not came.names:
            return ""
        name = self._names[came.path]
        if came.names[0][0] == "*":
            return f"const {came.names[0][1]} = {name};\n"
        return f"const {{ {_fields(came.names)} }} = {name};\n"

    def _from(self, path: str) -> str:
        """`path` as the bundle names it."""
        relative = posixpath.relpath(path, posixpath.dirname(f"{FOLDER}/{self._entry}"))
        return relative if relative.startswith("..") else f"./{relative}"


def _fields(pairs: Iterable[tuple[str, str]]) -> str:
    """Between the braces of an object, or of a pattern that takes one apart."""
    return ", ".join(field if field == name else f"{field}: {name}" for field, name in pairs)
