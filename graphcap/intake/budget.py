"""What one submission may cost before anything of it is run, counted in steps or bytes and not in seconds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


@dataclasses.dataclass
class Budget:
    """`left` of it; what shares the work shares the object."""

    left: int

    def take(self, count: int = 1) -> bool:
        """Whether so much was left. Nothing is, once more was wanted."""
        self.left = max(self.left - count, -1)
        return self.left >= 0

    def counted(self, items: Iterable[T]) -> Iterator[T]:
        """The items, one step each, as far as it reaches."""
        for item in items:
            if not self.take():
                return
            yield item
