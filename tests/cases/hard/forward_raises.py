"""A forward that fails at run time, everywhere."""
import torch


class M(torch.nn.Module):
    def forward(self, x):
        y = x.sin()
        raise ValueError("the batch is empty")
        return y


model = M()
example_args = (torch.randn(3),)
