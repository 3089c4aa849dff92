"""What the fork server imports before its first fork: torch, and what its compilers import when first used.

Nothing is traced and no random number is drawn here, so that every fork is as a new process is.
"""

import gc

import torch
import torch._dynamo.backends.registry
import torch._higher_order_ops.passes.inline_invoke_subgraph
import torch._inductor.compile_fx
import torch.export._trace
import torch.export._unlift
import torch.fx.experimental.validator

torch.set_num_threads(1)  # a fork of a process with OpenMP threads hangs
torch._dynamo.list_backends()  # imports every backend
gc.collect()
gc.freeze()  # a collection in a fork would copy every page that it looks at
