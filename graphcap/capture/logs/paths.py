"""Whose file a path of a log names: the person's, under a short name, or an installed package's."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from graphcap.graph.document import Frame

_INSTALLED = re.compile(r"(?:.*/)?(?:site-packages|dist-packages|lib/python3\.\d+)/(.*)")
_INSIDE_TORCH = re.compile(r"(?:torch|torchgen|functorch)/.*")
_FRAME = re.compile(r'^\s*File "(?P<file>[^"]*)", line (?P<line>\d+)(?:, in (?P<function>.*))?$')
RESUMED = re.compile(r"torch_dynamo_resume_in_(?P<function>.+)_at_\d+$")
"""What Dynamo calls the rest of a function after a graph break."""

MAX_CODE = 500
MAX_LINE = 10_000_000


class Paths:
    """Names for the paths of a log. `submitted` are the files that came with it: code whose path ends so is theirs."""

    def __init__(self, submitted: Iterable[str]) -> None:
        self._submitted = sorted((name for name in submitted if name.endswith(".py")), key=len, reverse=True)
        self._known: dict[str, tuple[str, bool]] = {}

    def name(self, path: str) -> tuple[str, bool]:
        """The name to show, and whether the file is the person's own."""
        if path not in self._known:
            self._known[path] = self._named(path.replace("\\", "/"))
        return self._known[path]

    def shortened(self, end: str, line: int, function: str, code: str) -> Frame:
        """A frame whose path torch cut to its end: the person's where it is the end of a path that was met, else torch's."""
        tail = end.lstrip("/")
        for path, (_, user) in self._known.items():
            if user and (path == tail or path.endswith(f"/{tail}")):
                return self.frame(path, line, function, code)
        return self.frame(f"torch/{tail}", line, function, code)

    def frame(self, path: str, line: int, function: str = "", code: str = "") -> Frame:
        """One frame of a stack; resume functions have the name of the function they are a part of."""
        name, user = self.name(path)
        whole = RESUMED.match(function)
        return Frame(
            name, max(0, min(line, MAX_LINE)), whole["function"] if whole else function, code.strip()[:MAX_CODE], user
        )

    def traceback(self, text: str) -> list[Frame]:
        """The frames of a traceback's text, outermost first."""
        found, lines = [], text.split("\n")
        for i, line in enumerate(lines):
            if match := _FRAME.match(line):
                after = lines[i + 1] if i + 1 < len(lines) and not _FRAME.match(lines[i + 1]) else ""
                found.append(self.frame(match["file"], int(match["line"][:9]), match["function"] or "", after))
        return found

    def _named(self, path: str) -> tuple[str, bool]:
        for name in self._submitted:
            if path == name or path.endswith(f"/{name}"):
                return name, True
        if installed := _INSTALLED.fullmatch(path):
            return installed[1], False
        if path.startswith("<") or _INSIDE_TORCH.fullmatch(path):
            return path, False
        return posixpath.basename(path) or path, True
