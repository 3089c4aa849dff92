"""Activation checkpointing: compute twice, save less

Under `checkpoint` the hidden activations are not kept for the backward. Look in the backward graph for the nodes of the
forward that are computed again.
"""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(self.up(x).sin())


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(8)
        self.second = Block(8)

    def forward(self, x):
        x = checkpoint(self.first, x, use_reentrant=False)
        return self.second(x).sum()


model = Network()
example_args = (torch.randn(4, 8),)
