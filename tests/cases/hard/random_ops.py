"""Random numbers: dropout, rand, bernoulli, randperm."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 4)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        y = self.drop(self.l(x))
        return y + torch.rand_like(y), torch.bernoulli(y.sigmoid()), torch.randperm(4)


model = M()
example_args = (torch.randn(2, 4),)
