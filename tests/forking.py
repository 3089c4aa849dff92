"""What a process does once before it forks for torch: what every fork would do again, each for itself."""

from __future__ import annotations

import functools
import gc
import importlib

import torch
import torch._dynamo

from graphcap.sandbox.zygote import large_pages

IMPORTED_WHEN_FIRST_USED = (
    "functorch.compile",
    "torch._dynamo.backends.registry",
    "torch._dynamo.dce_extra_outputs",
    "torch._export.passes.replace_autocast_with_hop_pass",
    "torch._export.passes.replace_set_grad_with_hop_pass",
    "torch._functorch._aot_autograd.subclass_codegen",
    "torch._functorch.aot_autograd",
    "torch._higher_order_ops.passes.inline_invoke_subgraph",
    "torch._inductor.compile_fx",
    "torch._inductor.compiler_bisector",
    "torch._subclasses.schema_check_mode",
    "torch.distributed.tensor.experimental",
    "torch.distributed.tensor.experimental._attention",
    "torch.export._trace",
    "torch.export._unlift",
    "torch.fx.experimental.validator",
)
"""Two seconds in a fork that compiles."""


@functools.cache
def prepare() -> None:
    """Nothing is traced and no random number is drawn: a fork is as a new process is."""
    torch.set_num_threads(1)  # a fork of a process with OpenMP threads hangs
    for name in IMPORTED_WHEN_FIRST_USED:
        importlib.import_module(name)
    torch._dynamo.list_backends()  # imports every backend
    gc.collect()
    gc.freeze()  # a collection in a fork would copy every page that it looks at
    large_pages.collapse()
