"""What torch's partitioners think of an operator: the classes by which they decide what may be computed a second time."""

from __future__ import annotations

import functools

import torch.fx
from torch._functorch.compile_utils import get_aten_target
from torch._functorch.partitioners import get_default_op_list


def classes(node: torch.fx.Node) -> tuple[str, ...]:
    """Tags: `compute_intensive`, `recomputable`, `fusible`, and `partitioner_random`, `partitioner_view`.

    The last two are the partitioners' own short lists, which differ from what an operator's schema says (`random`, `view`).
    """
    return tuple(name for name, targets in _classes().items() if get_aten_target(node) in targets)


@functools.cache
def _classes() -> dict[str, frozenset[object]]:
    known = get_default_op_list()
    return {
        "compute_intensive": frozenset(known.compute_intensive_ops),
        "recomputable": frozenset(known.recomputable_ops),
        "fusible": frozenset(known.fusible_ops),
        "partitioner_random": frozenset(known.random_ops),
        "partitioner_view": frozenset(known.view_ops),
    }
