"""A parameter and an input of a __torch_function__ subclass."""
import torch


class Tagged(torch.Tensor):
    pass


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.l(x.sin())


model = M()
example_args = (torch.randn(2, 3).as_subclass(Tagged),)
