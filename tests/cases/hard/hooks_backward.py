"""Hooks on tensors and on modules that change gradients."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 3)
        self.l.register_full_backward_hook(lambda module, gi, go: (gi[0] * 2 if gi[0] is not None else None,))

    def forward(self, x):
        y = self.l(x.sin())
        y.register_hook(lambda g: g + 1)
        return y.cos()


model = M()
example_args = (torch.randn(2, 3, requires_grad=True),)
