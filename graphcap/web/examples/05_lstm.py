"""LSTM: what Dynamo leaves alone

By default Dynamo does not trace `nn.LSTM`, so its stage stays empty and says why. Export does: one `lstm` node, which
core ATen unrolls into a matmul and a dozen pointwise ops for every time step.
"""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(100, 16)
        self.lstm = nn.LSTM(16, 32, batch_first=True)
        self.head = nn.Linear(32, 5)

    def forward(self, ids):
        hidden, _ = self.lstm(self.embedding(ids))
        return self.head(hidden)


model = Tagger()
example_args = (torch.randint(100, (2, 6)),)
