"""A cond in a branch of a cond, closing over a parameter."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(3))

    def forward(self, x):
        def outer(x):
            return torch.cond(x.sum() > 1, lambda x: x * self.w, lambda x: x - self.w, (x,))

        return torch.cond(x.max() > 0, outer, lambda x: x.cos(), (x,))


model = M()
example_args = (torch.randn(3),)
