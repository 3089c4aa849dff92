"""Outputs that alias inputs, parameters, one another."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(2, 3))

    def forward(self, x):
        y = x + 1
        return x, x.view(-1), self.w, self.w.t(), y, y[0], y


model = M()
example_args = (torch.randn(2, 3),)
