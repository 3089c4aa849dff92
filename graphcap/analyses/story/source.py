"""A submitted file as statements and functions, read by tokens: a stranger's file must not reach Python's own parser.

(`ast.parse` can exhaust the C stack on a hostile file, and the web server would go down with it.)
"""

from __future__ import annotations

import contextlib
import io
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MAX_LINES = 20_000  # of a file whose statements are found; the tokenizer takes a second for these
MAX_NESTED = 100  # levels of indentation that Python itself reads
MAX_TEXT = 300  # characters of a line that are shown

_LAYOUT = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}


class Statement(NamedTuple):
    """A logical line: a simple statement, or the head of a compound one, with its first and last line in the file."""

    first: int
    last: int
    column: int
    defines: str  # `def` or `class` where it begins one, or ""
    name: str  # of what it defines


class Function(NamedTuple):
    """A function from its `def` to its last statement, by its qualified name: `Block.forward`, `outer.inner`.

    `around`: index of the function it is defined in, or -1.
    """

    name: str
    first: int
    last: int
    around: int


class Source:
    """One file. What can not be read as Python has lines, but no statements and no functions."""

    def __init__(self, text: str) -> None:
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")  # not at form feeds, as Python counts
        self._statements = _statements(self.lines)
        self._starts = [statement.first for statement in self._statements]
        self._functions = _functions(self._statements)
        self._heads = [function.first for function in self._functions]

    def text(self, line: int) -> str:
        """A line without what follows its first `MAX_TEXT` characters; "" where the file has no such line."""
        return self.lines[line - 1][:MAX_TEXT] if 0 < line <= len(self.lines) else ""

    def statement(self, line: int) -> tuple[int, int]:
        """First and last line of the statement that has this line; the line itself where there is none."""
        at = bisect_right(self._starts, line) - 1
        if at >= 0 and self._statements[at].last >= line:
            return self._statements[at].first, self._statements[at].last
        return line, line

    def function(self, line: int) -> Function | None:
        """The innermost function around a line; None at the level of the module."""
        at = bisect_right(self._heads, line) - 1
        while at >= 0 and self._functions[at].last < line:
            at = self._functions[at].around
        return self._functions[at] if at >= 0 else None

    def trimmed(self, first: int, last: int) -> range:
        """These lines without empty ones at both ends."""
        while first <= last and not self.text(first).strip():
            first += 1
        while last >= first and not self.text(last).strip():
            last -= 1
        return range(first, last + 1)


def _statements(lines: list[str]) -> list[Statement]:
    if len(lines) > MAX_LINES:
        return []
    found: list[Statement] = []
    tokens = tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline)
    with contextlib.suppress(tokenize.TokenError, SyntaxError, ValueError):  # what came before the fault counts
        found.extend(_logical(tokens))
    return found


def _logical(tokens: Iterable[tokenize.TokenInfo]) -> Iterator[Statement]:
    begun: list[tokenize.TokenInfo] = []  # the first three tokens of the logical line
    for token in tokens:
        if token.type == tokenize.NEWLINE:
            if begun:
                yield Statement(begun[0].start[0], token.start[0], begun[0].start[1], *_defined(begun))
            begun = []
        elif token.type not in _LAYOUT and len(begun) < 3:
            begun.append(token)


def _defined(begun: list[tokenize.TokenInfo]) -> tuple[str, str]:
    words = [token.string for token in begun]
    if words[0] == "async" and len(words) > 2:
        words = words[1:]
    return (words[0], words[1]) if words[0] in ("def", "class") and len(words) > 1 else ("", "")


class _Open(NamedTuple):
    """A function or class whose lines have not ended yet; `at`: its index among the functions, -1 for a class."""

    column: int
    at: int
    name: str


def _functions(statements: list[Statement]) -> list[Function]:
    """In the order of their heads."""
    found: list[Function] = []
    open_: list[_Open] = []
    for statement in statements:
        while open_ and statement.column <= open_[-1].column:
            open_.pop()
        if statement.defines and len(open_) < MAX_NESTED:
            name = ".".join([*(each.name for each in open_[-1:]), statement.name])
            at = -1
            if statement.defines == "def":
                at = len(found)
                around = next((each.at for each in reversed(open_) if each.at >= 0), -1)
                found.append(Function(name, statement.first, statement.last, around))
            open_.append(_Open(statement.column, at, name))
        for each in open_:
            if each.at >= 0:
                found[each.at] = found[each.at]._replace(last=statement.last)
    return found
