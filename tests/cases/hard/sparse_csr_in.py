"""A compressed sparse input."""
import torch


class M(torch.nn.Module):
    def forward(self, a, x):
        return a @ x


model = M()
example_args = (torch.eye(4).to_sparse_csr(), torch.randn(4, 2))
