"""A sparse tensor made inside and returned."""
import torch


class M(torch.nn.Module):
    def forward(self, x):
        s = x.relu().to_sparse()
        return s, s.to_dense() * 2


model = M()
example_args = (torch.randn(3, 4),)
