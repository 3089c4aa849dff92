"""associative_scan."""
import torch
from torch._higher_order_ops.associative_scan import associative_scan


class M(torch.nn.Module):
    def forward(self, x):
        return associative_scan(lambda a, b: a * b, x, dim=0, combine_mode="generic")


model = M()
example_args = (torch.randn(6, 2),)
