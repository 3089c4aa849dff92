"""Tensors that are neither parameter nor buffer: an attribute, a literal, a list of them, a global."""
import torch

TABLE = torch.arange(4.0)


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.tensor([1.0, 2.0, 3.0, 4.0])
        self.parts = [torch.ones(4), torch.zeros(4)]

    def forward(self, x):
        return x * self.scale + torch.tensor([4.0, 3.0, 2.0, 1.0]) + self.parts[0] - self.parts[1] + TABLE


model = M()
example_args = (torch.randn(4),)
