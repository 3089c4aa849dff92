"""Second inputs: guards, and what is compiled anew

Compiled code holds for the values and sizes it was compiled with: its guards say which. Called again with another batch and
another step, torch finds guards that fail and compiles those parts anew. In between, Dynamo stops in a function that is
called.
"""

import torch
from torch import nn


class Config:
    def __init__(self):
        self.activation = "gelu"
        self.scale = 0.5


def report(x, step):
    print("step", step)
    return x


class Block(nn.Module):
    def __init__(self, config, width):
        super().__init__()
        self.config = config
        self.inner = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x, step):
        x = self.inner(x)
        if self.config.activation == "gelu":
            x = nn.functional.gelu(x)
        x = report(x, step)
        x = self.norm(x) * self.config.scale
        return x * step


model = Block(Config(), 16)
example_args = (torch.randn(4, 16), 3)
example_args_2 = (torch.randn(7, 16), 4)
