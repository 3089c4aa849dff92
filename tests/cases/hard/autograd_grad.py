"""torch.autograd.grad in forward: a gradient penalty."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 1)

    def forward(self, x):
        y = self.l(x).tanh().sum()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        return y + g.pow(2).sum()


model = M()
example_args = (torch.randn(2, 3, requires_grad=True),)
