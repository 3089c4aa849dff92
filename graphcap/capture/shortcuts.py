"""Shortcuts past what torch does without need for what is captured, with the same result."""

from __future__ import annotations

from typing import Any

import torch
import torch._dynamo.guards as dynamo_guards
import torch._export.utils as export_utils


def look_up_once() -> None:
    """One decomposition walks all composite operators of the dispatcher once for every namespace, sixty times: 0.1 s.

    The walk makes each of them an attribute of `torch.ops`, for good; so it is left out while the dispatcher lists the same.
    """
    walk = export_utils._materialize_cpp_cia_ops
    walked: list[str] = []

    def walk_what_is_new() -> None:
        listed = torch._C._dispatch_get_registrations_for_dispatch_key("CompositeImplicitAutograd")
        if listed != walked:
            walk()
            walked[:] = listed

    export_utils._materialize_cpp_cia_ops = walk_what_is_new


def guards_untimed() -> None:
    """Dynamo times the guards of every fragment for its log, after flushing the caches with 32 MiB: 25 ms in a fork."""

    dynamo_guards.profile_guard_manager = _no_microseconds  # type: ignore[attr-defined]  # imported there by name


def no_thread_beside() -> None:
    """tqdm, which torch's interpreter uses where it is installed, starts a thread with its first bar, also one not shown:
    a process that has it can not be forked."""
    torch.hub.tqdm.monitor_interval = 0  # type: ignore[attr-defined]  # torch's own stand-in where there is none


def _no_microseconds(guard_manager: Any, f_locals: dict[str, Any], n_iters: int) -> float:
    return 0.0
