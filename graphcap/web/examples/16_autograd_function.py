"""autograd.Function: a backward of your own

The straight-through estimator rounds in the forward and pretends it did not in the backward: look for the gradient that
passes by `round` untouched.
"""

import torch
from torch import nn


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 4)

    def forward(self, x):
        levels = Round.apply(self.linear(x) * 16) / 16
        return levels.square().mean()


model = Quantized()
example_args = (torch.randn(4, 8),)
