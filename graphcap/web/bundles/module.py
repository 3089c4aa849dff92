"""Reads one native module as far as joining it with others takes: what it imports, what it exports, and the rest.

No parser of JavaScript: our modules write every `import` and `export` at the start of a line, in the forms below. Any other
form is refused with its file and line.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import NamedTuple

from graphcap.web.bundles.stripped import stripped

STATEMENT = re.compile(
    r"""^import[ ]\*[ ]as[ ](?P<space>\w+)[ ]from[ ](?P<q1>['"])(?P<whole>[^'"]+)(?P=q1);?[ \t]*$
      |^import[ ](?P<default>\w+)[ ]from[ ](?P<q2>['"])(?P<only>[^'"]+)(?P=q2);?[ \t]*$
      |^import[ ]*\{(?P<named>[^}]*)\}[ ]*from[ ](?P<q3>['"])(?P<some>[^'"]+)(?P=q3);?[ \t]*$
      |^import[ ](?P<q4>['"])(?P<bare>[^'"]+)(?P=q4);?[ \t]*$
      |^export[ ]*\{(?P<passed>[^}]*)\}[ ]*from[ ](?P<q5>['"])(?P<through>[^'"]+)(?P=q5);?[ \t]*$
      |^export[ ]*\{(?P<listed>[^}]*)\};?[ \t]*$
      |^export[ ](?P<standard>default[ ])?(?=(?P<declared>(?:async[ ])?function\b[ ]*\*?[ ]*|class[ ]|const[ ])(?P<name>\w+))
      |^(?P<other>(?:import|export)\b(?![ ]*[(.:])[^\n]*)""",
    re.MULTILINE | re.VERBOSE,
)

LATE = re.compile(r"""\bawait import\((?P<quote>['"])(?P<path>[^'"]+)(?P=quote)\)""")
"""A module that is fetched when it is needed."""

LINE_END = re.compile(r"//[^\n]*")


class BundleError(Exception):
    """A module is written in a way that cannot be joined; the message names it."""


class Import(NamedTuple):
    """Names that a module takes from another one: `names` as (its name there, its name here), `*` being all of them."""

    path: str
    names: tuple[tuple[str, str], ...]


class Module(NamedTuple):
    """One file: its imports, what it exports as (its name inside, its name outside), and its text without either.

    `late` are the paths that it imports when it needs them; its text still says so.
    """

    path: str
    imports: tuple[Import, ...]
    exports: tuple[tuple[str, str], ...]
    body: str
    late: tuple[str, ...] = ()


def read(path: str, text: str) -> Module:
    """The module of this text. `path` and those of its imports are below `static/`."""
    imports: list[Import] = []
    exports: list[tuple[str, str]] = []

    def take(match: re.Match[str]) -> str:
        found = match.groupdict()
        if found["other"] is not None:
            line = text.count("\n", 0, match.start()) + 1
            raise BundleError(f"{path}:{line}: write this in a form that graphcap/web/bundles knows: {found['other']}")
        if came := _import(path, found):
            imports.append(came)
            exports.extend(_pairs(found["passed"], passed=True))
        exports.extend(_exports(found))
        return ""

    rest = STATEMENT.sub(take, text)
    body = rest if path.startswith("vendor/") else stripped(rest, lines=False)  # comments of others may be their licence
    late = tuple(resolved(path, match["path"]) for match in LATE.finditer(body))
    return Module(path, tuple(imports), tuple(exports), body, late)


def resolved(path: str, specifier: str) -> str:
    """The file below `static/` that a specifier in the module at `path` names."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))


def _import(path: str, found: Mapping[str, str | None]) -> Import | None:
    source = found["whole"] or found["only"] or found["some"] or found["bare"] or found["through"]
    if source is None:
        return None
    names: tuple[tuple[str, str], ...] = ()
    if found["space"]:
        names = (("*", found["space"]),)
    elif found["default"]:
        names = (("default", found["default"]),)
    elif found["passed"] is not None:
        names = tuple((there, f"${there}") for there, _ in _pairs(found["passed"]))
    else:
        names = _pairs(found["named"])
    return Import(resolved(path, source), names)


def _exports(found: Mapping[str, str | None]) -> tuple[tuple[str, str], ...]:
    if name := found["name"]:
        return ((name, "default" if found["standard"] else name),)
    return _pairs(found["listed"])


def _pairs(listed: str | None, *, passed: bool = False) -> tuple[tuple[str, str], ...]:
    """`a, b as c` as (a, a), (b, c); of what is passed on, the first is the name that the import was given here."""
    pairs = []
    for part in LINE_END.sub("", listed or "").split(","):
        if part.strip():
            first, _, second = part.strip().partition(" as ")
            pairs.append((f"${first}" if passed else first, second.strip() or first))
    return tuple(pairs)
