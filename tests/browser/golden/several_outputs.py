"""Nodes with several outputs, a parameter that two nodes read, state that is written, and a choice between two graphs."""

import torch
from torch import nn


class Several(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q = nn.Linear(8, 24)
        self.tied = nn.Linear(8, 8)
        self.bn = nn.BatchNorm1d(8)
        self.register_buffer("steps", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        self.steps.add_(1)
        a, b, c = self.q(x).chunk(3, -1)
        values, indices = torch.topk(a - b, 3)
        low, high = torch.aminmax(c)
        y = torch.cond(low.sum() > 0, lambda u: (u.sin(), u + 1), lambda u: (u.cos(), u - 1), (c,))
        z = self.tied(y[0]) + nn.functional.linear(y[1], self.tied.weight)
        return self.bn(z), values, indices, high


model = Several()
example_args = (torch.randn(4, 8),)
