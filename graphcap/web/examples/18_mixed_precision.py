"""Mixed precision: where autocast puts casts

Under autocast matmuls run in bfloat16 while sums and the loss stay in float32: every `_to_copy` is a cast you did not
write.
"""

import torch
import torch.nn.functional as F
from torch import nn


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(32, 64), nn.LayerNorm(64), nn.GELU(), nn.Linear(64, 10))

    def forward(self, x, label):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = self.layers(x)
        return F.cross_entropy(logits.float(), label)


model = Mixed()
example_args = (torch.randn(8, 32), torch.randint(10, (8,)))
