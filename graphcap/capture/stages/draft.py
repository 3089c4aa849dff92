"""What draft export reports about a program it made although torch.export refuses the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch._logging import structured

from graphcap.capture.failures import rename
from graphcap.capture.fx.frames import make_frame
from graphcap.capture.fx.values import safe_text
from graphcap.graph.document import Failure, Frame

MAX_TEXT = 20_000
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def draft_failures(program: torch.export.ExportedProgram, users: Mapping[str, str]) -> list[Failure]:
    """One failure for each entry of the program's report, in torch's words; [] where it found nothing wrong."""
    report: Any = getattr(program, "_report", None)
    # a report knows only the files first heard of while it was made; torch numbers them once for the whole process
    files = {number: name for name, number in structured.INTERN_TABLE.items()}
    files |= getattr(report, "str_to_filename", None) or {}
    return [_failure(entry, files, users) for entry in getattr(report, "failures", None) or () if not entry.xfail]


def _failure(entry: Any, files: Mapping[int, str], users: Mapping[str, str]) -> Failure:
    try:
        text = _COLOUR.sub("", entry.print(files)).strip()
    except Exception as error:  # an entry of a kind that its own printer does not know
        text = f"{safe_text(entry)} (its report could not be printed: {safe_text(error)})"
    kind = safe_text(getattr(entry.failure_type, "name", entry.failure_type))
    return Failure(kind, rename(text, users)[:MAX_TEXT], "draft", frame=_frame(entry, files, users))


def _frame(entry: Any, files: Mapping[int, str], users: Mapping[str, str]) -> Frame | None:
    data = entry.data if isinstance(entry.data, dict) else {}
    for stack in (data.get("user_stack"), data.get("stack")):
        for part in reversed(stack if isinstance(stack, list) else []):
            path = files.get(part["filename"], "")
            frame = make_frame(path, int(part["line"]), safe_text(part["name"]), safe_text(part.get("loc") or ""), users)
            if frame.user:
                return frame
    return None
