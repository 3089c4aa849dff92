"""How a guard's source is reached, part by part: `L['self'].cfg.mode` is `L['self']`, `.cfg`, `.mode`.

Sources are Python expressions that torch wrote. A call of one value counts as a part of that value's path:
`type(L['x']).__mro__` is `L['x']`, `type(...)`, `.__mro__`; `list(dict.keys(L['d']))[0]` begins with `L['d']` too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_SOURCE = 4_000  # characters of a source that is taken apart; those of real models have a few hundred
MAX_PARTS = 60  # deeper than any model's attributes go; what follows is one part

_NAME = re.compile(r"[A-Za-z_][\w.]*")
_ATTRIBUTE = re.compile(r"\.[A-Za-z_]\w*")
_SCOPES = ("L", "G", "SYNTHETIC_LOCAL")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.S)
_SCOPED = re.compile(r"(?<![\w.])(?:L|G)\[")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Part(NamedTuple):
    """One step: what is written for it, and the whole expression up to and with it."""

    text: str
    source: str


def parts(source: str) -> tuple[Part, ...]:
    """The steps of a source from outside to inside; () for "". What can not be read is one part."""
    if len(source) > MAX_SOURCE:
        return (Part(source[:MAX_SOURCE], source),)
    return tuple(_path(source, 0)) if source else ()


def _path(source: str, depth: int) -> list[Part]:
    name = _NAME.match(source)
    if name is None or depth > MAX_PARTS:
        return [Part(source, source)]
    end = name.end()
    if name[0] in _SCOPES and source[end : end + 1] == "[":
        end = _closed(source, end)
        return _tail([Part(source[:end], source[:end])], source, end)
    if source[end : end + 1] == "(":
        return _call(source, name[0], end, depth)
    first = source.split(".", 1)[0]
    return _tail([Part(first, first)], source, len(first))


def _call(source: str, name: str, at: int, depth: int) -> list[Part]:
    """`name(INNER)` as a part of INNER's path, where it is called on one value that has a path."""
    end = _closed(source, at)
    inner, *others = _arguments(source[at + 1 : end - 1])
    if not _SCOPED.match(inner) and not re.match(r"[A-Za-z_][\w.]*\(", inner):
        return _tail([Part(source[:end], source[:end])], source, end)
    text = f"{name}({', '.join(['…', *others])})"
    return _tail([*_path(inner, depth + 1), Part(text, source[:end])], source, end)


def _tail(before: list[Part], source: str, at: int) -> list[Part]:
    """Attributes, indices and calls that follow."""
    found = before
    while at < len(source):
        attribute = _ATTRIBUTE.match(source, at)
        if attribute:
            end = attribute.end()
            if source[end : end + 2] == "()":  # .size()[0] reads better as two steps than as three
                end += 2
        elif source[at] in "[(":
            end = _closed(source, at)
        else:
            end = len(source)
        if len(found) >= MAX_PARTS:
            end = len(source)
        found.append(Part(source[at:end], source[:end]))
        at = end
    return found


def _closed(source: str, at: int) -> int:
    """The end of what the bracket at `at` opens; the end of the source where it is never closed."""
    waiting: list[str] = []
    while at < len(source):
        char = source[at]
        string = _STRING.match(source, at) if char in "'\"" else None
        if string:
            at = string.end()
            continue
        if char in _CLOSING:
            waiting.append(_CLOSING[char])
        elif waiting and char == waiting[-1]:
            waiting.pop()
            if not waiting:
                return at + 1
        at += 1
    return len(source)


def _arguments(text: str) -> list[str]:
    """The arguments of a call."""
    found, start, at = [], 0, 0
    while at < len(text):
        string = _STRING.match(text, at) if text[at] in "'\"" else None
        if string:
            at = string.end()
        elif text[at] in _CLOSING:
            at = _closed(text, at)
        elif text[at] == ",":
            found.append(text[start:at].strip())
            at += 1
            start = at
        else:
            at += 1
    return [*found, text[start:].strip()]


def named_in(code: str) -> str:
    """The first source that a check names: `L['x'].size()[0]` of `2 <= L['x'].size()[0]`; "" for none."""
    begins = _SCOPED.search(code[:MAX_SOURCE])
    if begins is None:
        return ""
    at = _closed(code, begins.end() - 1)
    while at < len(code):
        attribute = _ATTRIBUTE.match(code, at)
        if attribute:
            at = attribute.end()
        elif code[at] in "[(":
            at = _closed(code, at)
        else:
            break
    return code[begins.start() : at]
