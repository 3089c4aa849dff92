"""LoRA: what is frozen has no gradient

Only the two thin matrices learn, so the backward of the frozen ones is not in the graph: compare which parameters get a
gradient.
"""

import torch
from torch import nn


class LoRA(nn.Module):
    def __init__(self, width, rank):
        super().__init__()
        self.frozen = nn.Linear(width, width).requires_grad_(False)
        self.down = nn.Linear(width, rank, bias=False)
        self.up = nn.Linear(rank, width, bias=False)

    def forward(self, x):
        return self.frozen(x) + self.up(self.down(x))


model = nn.Sequential(LoRA(32, 2), nn.ReLU(), LoRA(32, 2))
example_args = (torch.randn(4, 32),)
