"""A submodule that is compiled already."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.compile(torch.nn.Linear(3, 3), backend="eager")

    def forward(self, x):
        return self.inner(x).relu()


model = M()
example_args = (torch.randn(2, 3),)
