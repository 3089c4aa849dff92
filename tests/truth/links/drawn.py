"""Small models drawn at random: a few lines of a forward, from operators that go through every kind of link."""

from __future__ import annotations

import random

LINES = (
    "x = self.fc{k}(x)",
    "x = self.norm(x)",
    "x = x + self.fc{k}(x)",
    "x = x * self.scale",
    "x = F.gelu(self.fc{k}(x)) * x",
    "x = torch.sin(x) + torch.cos(x)",
    "x = x.softmax(-1)",
    "x = F.dropout(x, 0.5, True)",
    "a, b = x.split(3, -1); x = torch.cat([b, a.relu()], -1)",
    "x = (x @ x.t()) @ x",
    "x = x.clone(); x[:, 0] = 1.0",
    "x = x.view(2, 3, 4).transpose(0, 1).reshape(4, 6)",
    "x = torch.where(x > 0, x, x.exp())",
    "x = checkpoint(self.inner, x, use_reentrant=False)",
    "x = torch.cond(x.sum() > 0, lambda v: v.sin(), lambda v: v * 2, (x,))",
    "print('break')",
    "x = x.detach() + x",
)
"""The last ones more rarely: where they are, more than one kind of graph comes of it."""

FILE = '''"""Drawn with seed {seed}."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class Drawn(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc0 = nn.Linear(6, 6)
        self.fc1 = nn.Linear(6, 6, bias=False)
        self.norm = nn.LayerNorm(6)
        self.scale = nn.Parameter(torch.ones(6))

    def inner(self, x):
        return F.relu(self.fc0(x)) + x.sin()

    def forward(self, x):
{body}
        return x.sum()


model = Drawn()
example_args = (torch.randn(4, 6),)
'''


def source(seed: int) -> str:
    """The file of one model; the same for the same seed."""
    rng = random.Random(seed)
    body: list[str] = []
    for _ in range(rng.randint(3, 7)):
        line = rng.choice(LINES).format(k=rng.randrange(2))
        repeat = rng.random() < 0.2 and "cond" not in line and "print" not in line
        body += [f"        for _ in range({rng.randint(2, 3)}):", f"            {line}"] if repeat else [f"        {line}"]
    return FILE.format(seed=seed, body="\n".join(body))
