"""Refused by export: a branch on data

An exported program is one graph, so export refuses an `if` that looks at values; torch.compile breaks the graph there and
goes on. Compare torch's message for each way of exporting; `torch.cond` would do.
"""

import torch
from torch import nn


class Clip(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        if y.abs().max() > 1:
            y = y / y.abs().max()
        return y.sum()


model = Clip()
example_args = (10 * torch.randn(2, 4),)
