"""Many names in a few words, and several remarks in one."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 5


def few_of(names: Sequence[str]) -> str:
    """The first of them and how many there are besides: `a, b, c, d, e and 3 more`."""
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return f"{', '.join(names[:MOST])}{more}"


def remarks(*parts: str) -> str:
    """Those that say something, one after the other."""
    return "; ".join(part for part in parts if part)
