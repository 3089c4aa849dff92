"""Outputs that are a SymInt, an expression of one, None, bools, a float and a string."""
import torch
from torch.export import Dim


class M(torch.nn.Module):
    def forward(self, x):
        return x.shape[0], x.shape[0] * 2 + 1, None, True, 2.5, "text", x.sin()


model = M()
example_args = (torch.randn(3, 4),)
dynamic_shapes = ({0: Dim("batch")},)
