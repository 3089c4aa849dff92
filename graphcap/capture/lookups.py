"""A shortcut past what torch looks up again and again without need, with the same result."""

from __future__ import annotations

import torch
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
