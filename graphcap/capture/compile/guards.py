"""The guards of every fragment: what Dynamo checks before it uses the compiled code again.

`guard_export_fn` gives the guards with their sources; the check itself of some (a tensor's dtype, sizes and strides; the
global state; symbolic shapes) stands only in the guard manager that the compiled code is kept with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

import torch._guards as torch_guards
from torch._dynamo.convert_frame import input_codes
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

from graphcap.capture.compile.breaks import break_frames
from graphcap.capture.failures import rename
from graphcap.capture.fx.values import safe_text
from graphcap.graph.document import Frame, Guard

MAX_CODE = 4_000  # characters of one check; the global state prints as 500

Leaves = Mapping[tuple[str, str], Sequence[str]]
"""(source, kind of check) -> the checks the guard manager makes."""

_ROOT_CHECKS = {"GLOBAL_STATE": "GLOBAL_STATE", "TORCH_FUNCTION_STATE": "TORCH_FUNCTION_MODE_STACK"}
_COMMENT = "  # "  # torch puts the person's line behind every check; the guard has it as its frame


def guards(fragment: int, own: Iterable[torch_guards.Guard], leaves: Leaves, users: Mapping[str, str]) -> tuple[Guard, ...]:
    """The guards of one fragment in torch's own order, each once."""
    return tuple(dict.fromkeys(_guard(fragment, guard, leaves, users) for guard in sorted(own)))


def _guard(fragment: int, guard: torch_guards.Guard, leaves: Leaves, users: Mapping[str, str]) -> Guard:
    kind = guard.inner_create_fn().__name__
    source = safe_text(guard.name)
    code = [*_checks(guard, kind, source, leaves), *(guard.code_list or ())]
    return Guard(
        fragment=fragment,
        kind=kind,
        source=source,
        code=tuple(dict.fromkeys(rename(safe_text(part, MAX_CODE), users) for part in code)),
        frame=_frame(guard, users),
    )


def _checks(guard: torch_guards.Guard, kind: str, source: str, leaves: Leaves) -> Sequence[str]:
    """The guard manager's checks that the guard itself does not print."""
    if kind == "TENSOR_MATCH":
        return leaves.get((source, kind), ())
    if kind == "NOT_PRESENT_IN_GENERIC_DICT":
        keywords = getattr(guard.create_fn, "keywords", {})
        missing = f"not ___dict_contains({keywords.get('attr')!r}"
        return [part for part in leaves.get((f"{source}.__dict__", "DICT_CONTAINS"), ()) if part.startswith(missing)]
    return leaves.get(("L", _ROOT_CHECKS.get(kind, "")), ())


def _frame(guard: torch_guards.Guard, users: Mapping[str, str]) -> Frame | None:
    """The person's innermost line that made the guard necessary, else torch's."""
    frames = break_frames(guard.user_stack or (), users)
    return next((frame for frame in reversed(frames) if frame.user), frames[-1] if frames else None)


def guard_leaves() -> dict[str, Leaves]:
    """For every compile id (`0/0`) the checks of its guard manager. Empty for code that torch has dropped since."""
    found: dict[str, Leaves] = {}
    for code in _compiled():
        for entry in _debug_get_cache_entry_list(code):
            checks: dict[tuple[str, str], list[str]] = defaultdict(list)
            for source, kind, parts in _walk(entry.guard_manager.root):
                checks[source, kind] += [part.split(_COMMENT, 1)[0].rstrip() for part in parts]
            found[str(entry.compile_id)] = checks
    return found


def _compiled() -> Iterator[CodeType]:
    for reference in list(input_codes.seen):
        code = reference()
        if code is not None:
            yield code


def _walk(root: Any) -> Iterator[tuple[str, str, list[str]]]:
    pending = [root]
    while pending:
        manager = pending.pop()
        for leaf in manager.get_leaf_guards():
            yield manager.get_source(), type(leaf).__name__, leaf.verbose_code_parts()
        if hasattr(manager, "get_key_value_managers"):
            pending += [part for pair in manager.get_key_value_managers().values() for part in pair if part is not None]
        pending += manager.get_child_managers()
