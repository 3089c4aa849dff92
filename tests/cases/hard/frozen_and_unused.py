"""Frozen and unused parameters, an unused input, an input that requires grad, a detached path."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.frozen = torch.nn.Linear(3, 3).requires_grad_(False)
        self.live = torch.nn.Linear(3, 3, bias=False)
        self.never = torch.nn.Parameter(torch.randn(2))

    def forward(self, x, unused):
        y = self.frozen(x)
        return self.live(y) + self.live(y).detach(), y


model = M()
example_args = (torch.randn(2, 3, requires_grad=True), torch.randn(2))
