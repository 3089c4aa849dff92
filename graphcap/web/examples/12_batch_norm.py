"""Batch norm in training: a graph that writes

In training mode batch norm updates its running statistics. Export still writes them in place; core ATen has no side effects,
so they leave as extra outputs and are copied into the buffers afterwards.
"""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU()).train()
example_args = (torch.randn(16, 4),)
