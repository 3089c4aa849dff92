"""What links are verified on: examples, cases, some of exportdb, and a GPT of twelve layers."""

from __future__ import annotations

from tests.truth.sources import ROOT, Case, cases

EXPORTDB = (
    "cond_branch_class_method",
    "cond_closed_over_variable",
    "dynamic_shape_map",
    "dynamic_shape_slicing",
    "list_contains",
    "nested_function",
    "optional_input",
    "scalar_output",
    "static_for_loop",
    "tensor_setattr",
)
"""Those with control flow, shapes and state."""


def chosen() -> list[Case]:
    """Every case that links are verified on."""
    found = [case for case in cases() if case.id.split("/")[0] != "exportdb" or case.id.split("/")[1] in EXPORTDB]
    return [*found, Case("large/twelve_layers", ROOT / "tests" / "cases" / "large" / "twelve_layers.py")]
