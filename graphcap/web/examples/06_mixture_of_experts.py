"""Mixture of experts: a router and four small MLPs

The router gives every token to its two best experts. A graph has a fixed shape, so each expert sees all tokens and
the weights of those it was not chosen for are zero.
"""

import torch
from torch import nn


class MixtureOfExperts(nn.Module):
    def __init__(self, width=16, experts=4, chosen=2):
        super().__init__()
        self.chosen = chosen
        self.router = nn.Linear(width, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, width)) for _ in range(experts)
        )

    def forward(self, x):
        scores, indices = self.router(x).topk(self.chosen)
        weights = x.new_zeros(len(x), len(self.experts)).scatter(1, indices, scores.softmax(-1))
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        return (weights.unsqueeze(-1) * outputs).sum(1)


model = MixtureOfExperts()
example_args = (torch.randn(8, 16),)
