"""Dynamic shapes: any batch, any length

Two dimensions are left open. Torch names them (`s0`, ...) in every shape that depends on them, and sizes the code computes
with become nodes of the graph.
"""

import torch
from torch import nn
from torch.export import Dim


class Pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(100, 16)

    def forward(self, ids):
        batch, length = ids.shape
        x = self.embedding(ids).reshape(batch * length, -1)
        return x.relu().view(batch, length, -1).sum(1) / length


model = Pool()
example_args = (torch.randint(100, (2, 7)),)
dynamic_shapes = ({0: Dim("batch"), 1: Dim("length", max=512)},)
