"""Custom op: one node, whatever is inside

`torch.library.custom_op` keeps your own kernel, here in NumPy, as a single node of every graph: a fake version tells its
shape, a formula its gradient.
"""

import numpy as np
import torch
from torch import nn


@torch.library.custom_op("gallery::cube", mutates_args=())
def cube(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.power(x.detach().numpy(), 3))


@cube.register_fake
def _(x):
    return torch.empty_like(x)


def backward(ctx, gradient):
    (x,) = ctx.saved_tensors
    return gradient * 3 * x * x


cube.register_autograd(backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))


class Cubed(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return cube(self.linear(x)).tanh()


model = Cubed()
example_args = (torch.randn(4, 8),)
