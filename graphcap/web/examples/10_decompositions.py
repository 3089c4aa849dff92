"""Decompositions: what is left in core ATen

Compare export with core ATen: `layer_norm` becomes one core op, `rms_norm` falls apart into six, and the softmax written
by hand was core already.
"""

import torch
from torch import nn


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer_norm = nn.LayerNorm(8)
        self.rms_norm = nn.RMSNorm(8)

    def forward(self, x):
        y = self.rms_norm(self.layer_norm(x))
        return y.exp() / y.exp().sum(-1, keepdim=True)


model = Norms()
example_args = (torch.randn(2, 8),)
