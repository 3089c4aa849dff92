"""The refusal that more than one step of intake makes."""

from __future__ import annotations

from graphcap.errors import UserError


def too_large(what: str, size: int, limit_kib: int) -> UserError:
    """Of one file or an upload, called `what`."""
    limit = f"{limit_kib // 1024} MiB" if limit_kib >= 1024 and limit_kib % 1024 == 0 else f"{limit_kib} KiB"
    return UserError(
        "too-large",
        f"{what} is too large",
        f"It has {size:,} bytes; the limit is {limit}.",
        "Leave data and weights out: a capture needs the model's code and the shapes of its inputs.",
    )
