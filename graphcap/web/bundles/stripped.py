"""A script or a style sheet without its comments and its indentation, as browsers get it: they are a third of the bytes.

Line breaks stay, so a line has the number in an error report that it has in the repository. What stands between quotes,
backticks or the slashes of a regular expression is not touched.
"""

from __future__ import annotations

import re

QUOTED = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
SPACE = r"[ \t]*(?:\n[ \t]*)+"

SCRIPT = re.compile(
    rf"(?P<kept>{QUOTED})|(?P<comment>[ \t]*(?://[^\n]*|/\*.*?\*/)[ \t]*)|(?P<space>{SPACE})|(?P<mark>[`/{{}}])", re.DOTALL
)
"""What is not just passed on. A brace counts where it may end a value inside a template literal."""

SHEET = re.compile(
    rf"(?P<kept>{QUOTED}|\burl\([^)]*\))|(?P<comment>[ \t]*/\*.*?\*/[ \t]*)|(?P<space>{SPACE})|(?P<mark>(?!))", re.DOTALL
)

TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)", re.DOTALL)
"""The text of a template literal up to its end, or to the next value in it."""

REGULAR = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*")
VALUE = re.compile(r"""(?:[\w$)\]}"'`.]|\+\+|--)\s*\Z""")
WORD = re.compile(r"(?<![\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|instanceof|yield|await)\s*\Z")
"""Behind a value a slash divides; behind anything else, or one of these words, it begins a regular expression."""

LOOK_BACK = 8  # pieces: behind the longest comment there are fewer


def stripped(text: str, *, lines: bool = True) -> str:
    """A module's `text`; without `lines` empty lines are left out too."""
    return _Stripped(text, SCRIPT, lines).text()


def stripped_sheet(text: str) -> str:
    """A style sheet's `text`."""
    return _Stripped(text, SHEET, True).text()


class _Stripped:
    """One walk over a text: where it is, what is kept so far, and the template literals it is inside of."""

    def __init__(self, text: str, pieces: re.Pattern[str], lines: bool) -> None:
        self._all = text
        self._pieces = pieces
        self._lines = lines
        self._at = 0
        self._out: list[str] = []
        self._open: list[int] = []
        """For every value in a template literal that has begun, the braces open in it."""

    def text(self) -> str:
        while match := self._pieces.search(self._all, self._at):
            self._keep(self._all[self._at : match.start()])
            self._at = match.end()
            if match["mark"]:
                self._mark(match["mark"])
            elif match["kept"]:
                self._keep(match["kept"])
            else:
                self._break(match[0].count("\n"), match["comment"] is not None)
        return "".join([*self._out, self._all[self._at :]])

    def _keep(self, text: str) -> None:
        if text:
            self._out.append(text)

    def _break(self, lines: int, comment: bool) -> None:
        """A comment keeps apart what stands at its sides."""
        began = not self._out or self._out[-1].endswith("\n")
        if lines:
            self._keep("\n" * lines if self._lines else "" if began else "\n")
        elif comment and not began and self._all[self._at : self._at + 1] not in ("", "\n"):
            self._keep(" ")

    def _mark(self, mark: str) -> None:
        if mark == "/" and not self._behind_value():
            self._through(REGULAR, self._at - 1)
        elif mark == "`" or (mark == "}" and self._open and self._open[-1] == 0):
            if mark == "}":
                self._open.pop()
            self._keep(mark)
            self._through(TEMPLATE, self._at)
            if self._out[-1].endswith("${"):
                self._open.append(0)
        else:
            if self._open:
                self._open[-1] += {"{": 1, "}": -1}.get(mark, 0)
            self._keep(mark)

    def _behind_value(self) -> bool:
        before = "".join(self._out[-LOOK_BACK:])
        return VALUE.search(before) is not None and WORD.search(before) is None

    def _through(self, pattern: re.Pattern[str], start: int) -> None:
        """Keeps what the pattern finds there; a text in which it does not end is no module, and stays as it is."""
        match = pattern.match(self._all, start)
        self._at = match.end() if match else len(self._all)
        self._keep(self._all[start : self._at])
