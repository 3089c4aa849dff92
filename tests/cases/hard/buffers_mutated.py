"""Buffers changed in place, by copy_ and by assignment; one is not persistent."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 3)
        self.register_buffer("steps", torch.tensor(0))
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("last", torch.zeros(3), persistent=False)

    def forward(self, x):
        y = self.l(x)
        self.steps += 1
        self.mean.copy_(0.9 * self.mean + 0.1 * y.detach().mean(0))
        self.last = y.detach()[0]
        return y - self.mean


model = M()
example_args = (torch.randn(2, 3),)
