"""Inputs changed in place: whole, by a slice, and one that is returned too."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(4))

    def forward(self, x, cache):
        cache[:, 1] = (x * self.w).detach().sum(0)[:2]
        x.mul_(2)
        return x, x * self.w, cache


model = M()
example_args = (torch.randn(3, 4), torch.zeros(2, 3))
