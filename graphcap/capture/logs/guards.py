"""The guards of a compile, from the tree of guard managers that torch prints."""

from __future__ import annotations

import re

from graphcap.capture.logs.paths import Paths
from graphcap.graph.document import Frame, Guard

MAX_GUARDS = 20_000  # of one compile
MAX_CODE = 4_000  # characters of one check

_LINE = re.compile(r"^(?P<bars>[| ]*)\+- (?P<rest>.*)$")
_MANAGER = re.compile(r"^(?P<name>[A-Za-z]\w*): source=(?P<source>.*?), accessed_by=")
_CHECK = re.compile(r"^(?P<kind>[A-Z][A-Z0-9_]*): (?P<code>.*)$")
_PLACE = re.compile(r"^(?P<file>\S.*):(?P<line>\d{1,9}) in (?P<function>.*)$")


def guards_of(text: str, fragment: int, recompile: int, paths: Paths) -> tuple[Guard, ...]:
    """Each check with the source it is about, in the order in which torch makes them."""
    sources: list[str] = []  # of the managers above, outermost first
    found: list[Guard] = []
    for line in text.split("\n"):
        match = _LINE.match(line)
        if match is None:
            continue
        depth = match["bars"].count("|")
        if manager := _MANAGER.match(match["rest"]):
            del sources[depth:]
            sources += [""] * (depth - len(sources)) + [manager["source"]]
        elif (check := _CHECK.match(match["rest"])) and len(found) < MAX_GUARDS:
            above = next((source for source in reversed(sources[:depth]) if source), "")
            code, frame = _parts(check["code"], paths)
            found.append(Guard(fragment, check["kind"], above, (code[:MAX_CODE],), frame, recompile))
    return tuple(found)


def _parts(text: str, paths: Paths) -> tuple[str, Frame | None]:
    """The check, and the line that made it necessary: torch puts both behind it, `# code  # file:line in function`."""
    parts = [part.strip() for part in text.split("  # ")]
    place = _PLACE.match(parts[-1]) if len(parts) > 1 else None
    if place is None:
        return text.strip(), None
    source = parts[1] if len(parts) > 2 else ""
    return parts[0], paths.shortened(place["file"], int(place["line"]), place["function"], source)
