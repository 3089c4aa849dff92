"""A second call of what Dynamo has compiled, with other inputs: which guards fail, and what is compiled anew for it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

import torch
from torch._dynamo.guards import strip_local_scope
from torch.utils import _pytree as pytree
from torch.utils._dtype_abbrs import dtype_abbrs

from graphcap.capture.compile.running import Run
from graphcap.capture.failures import rename
from graphcap.capture.target.loaded import Arguments
from graphcap.graph.document import FailedGuard, Guard, Recompile

MAX_REASON = 4_000  # characters
MAX_NAMED = 6  # inputs in the words for a call
HELD = "torch ran the code it had: every guard held"
SECOND_WORDS = "called with the second inputs"
_STACK = "\nUser stack trace:"
_COMMENT = "  # "


def script_calls(later: Sequence[Arguments]) -> list[tuple[str, Arguments]]:
    """The script's further calls of what it compiled, each with words for it: `called again by the script with f32[5]`."""
    return [(f"called again by the script with {_shapes(inputs)}", inputs) for inputs in later]


def _shapes(inputs: Arguments) -> str:
    leaves = pytree.tree_leaves(inputs)
    words = [
        f"{dtype_abbrs[leaf.dtype]}{list(leaf.shape)}" if isinstance(leaf, torch.Tensor) else repr(leaf)[:40]
        for leaf in leaves
    ]
    return ", ".join(words[:MAX_NAMED]) + (", ..." if len(words) > MAX_NAMED else "") or "no inputs"


def counted(fragments: int) -> str:
    """`one fragment`, `3 fragments`."""
    return "one fragment" if fragments == 1 else f"{fragments} fragments"


@dataclasses.dataclass(frozen=True)
class Place:
    """Which fragment a code is of, and how many times that was compiled before."""

    fragment: int
    recompile: int = 0


class Places:
    """Numbers codes as they are compiled. In the first call each is a fragment of its own."""

    def __init__(self) -> None:
        self.by_compile_id: dict[str, Place] = {}
        self._owners: dict[str, int] = {}  # torch's number of a frame -> its first fragment
        self._recompiles: Counter[int] = Counter()
        self.fragments = 0

    def of(self, compile_id: str, anew: bool) -> Place:
        """The place of the code that is being compiled; `anew`: in the second call."""
        frame = frame_of(compile_id)
        if anew and frame in self._owners:
            fragment = self._owners[frame]
            self._recompiles[fragment] += 1
            place = Place(fragment, self._recompiles[fragment])
        else:
            self._owners.setdefault(frame, self.fragments)
            place = Place(self.fragments)
            self.fragments += 1
        self.by_compile_id[compile_id] = place
        return place


def frame_of(compile_id: str) -> str:
    """`1` for `1/0`."""
    return compile_id.split("/", 1)[0]


def recompiles(
    seen: Run, first: int, places: Places, guards: Sequence[Guard], users: Mapping[str, str]
) -> tuple[Recompile, ...]:
    """One for every code compiled since there were `first`, unless it is of a frame that had none."""
    found = []
    for index in range(first, len(seen.compile_ids)):
        compile_id = seen.compile_ids[index]
        place = places.by_compile_id[compile_id]
        reasons = [reason for reason in seen.why[index] if frame_of(reason) == frame_of(compile_id)]
        if place.recompile:
            failed = tuple(_failed(reason, places, guards, users) for reason in reasons)
            text = rename("\n".join(map(_without_comment, reasons)), users)[:MAX_REASON]
            found.append(Recompile(place.fragment, place.recompile, text, failed))
    return tuple(found)


def _failed(reason: str, places: Places, guards: Sequence[Guard], users: Mapping[str, str]) -> FailedGuard:
    """`0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3` names the code, and the check in it."""
    compile_id, _, words = reason.partition(": ")
    text = rename(_without_comment(words).split(_STACK, 1)[0], users)
    place = places.by_compile_id.get(compile_id)
    known = (i for i, guard in enumerate(guards) if Place(guard.fragment, guard.recompile) == place and _says(guard, text))
    return FailedGuard(text[:MAX_REASON], next(known, -1))


def _without_comment(reason: str) -> str:
    """torch puts the person's line behind the check, with a path; the stack below, where there is one, says it too."""
    check, stack, rest = reason.partition(_STACK)
    return check.split(_COMMENT, 1)[0].strip() + stack + rest


def _says(guard: Guard, text: str) -> bool:
    """Whether the check that failed is this guard's: by the tensor it names, or by its code."""
    if guard.kind == "TENSOR_MATCH":
        return text.startswith(f"tensor '{strip_local_scope(guard.source)}' ")
    return any(strip_local_scope(code).split(_COMMENT, 1)[0].strip() == text for code in guard.code)
