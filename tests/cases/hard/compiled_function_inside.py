"""A function that is compiled already, with the default backend, called by a model."""
import torch


@torch.compile
def gate(x, y):
    return x.sigmoid() * y


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 3)

    def forward(self, x):
        return gate(self.l(x), x).sum()


model = M()
example_args = (torch.randn(2, 3),)
