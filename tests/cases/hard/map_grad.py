"""map over the first dimension, differentiated."""
import torch
from torch._higher_order_ops.map import map


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(4))

    def forward(self, xs):
        return map(lambda x: (x * self.w).sin(), xs)


model = M()
example_args = (torch.randn(3, 4),)
