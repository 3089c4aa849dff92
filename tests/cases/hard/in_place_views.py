"""Writes through views and by index, under grad."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(3, 4))

    def forward(self, i):
        x = self.w.clone()
        x[:, 0] = 1.0
        x[i] += 2
        x.view(-1)[2:5].mul_(3)
        x.t()[1].zero_()
        return x.relu_()


model = M()
example_args = (torch.tensor([0, 2]),)
