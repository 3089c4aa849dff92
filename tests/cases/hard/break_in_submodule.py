"""A break inside a submodule that is called twice."""
import torch


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 3)

    def forward(self, x):
        x = self.l(x)
        torch._dynamo.graph_break()
        return x.relu()


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Inner()
        self.second = Inner()

    def forward(self, x):
        return self.second(self.first(x)).sum()


model = M()
example_args = (torch.ones(2, 3),)
