"""Four hundred ops in a row, with a list constant of a thousand numbers."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(4))

    def forward(self, x):
        for _ in range(200):
            x = x.sin() * self.w
        return x.new_tensor(list(range(1000))).sum() + x


model = M()
example_args = (torch.randn(4),)
