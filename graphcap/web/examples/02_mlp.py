"""MLP: three linear layers and a loss

The joint graph holds the forward and the backward in one; the partitioner cuts it in two and decides which
activations to save in between.
"""

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 4))

    def forward(self, x, label):
        return F.cross_entropy(self.layers(x), label)


model = MLP()
example_args = (torch.randn(8, 16), torch.randint(4, (8,)))
