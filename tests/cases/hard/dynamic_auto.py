"""Every dimension left to torch, with a size that becomes static by use."""
import torch
from torch.export import Dim


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 2)

    def forward(self, x):
        return torch.cat([self.l(x), x[..., :2]], -1).flatten(0, 1)


model = M()
example_args = (torch.randn(2, 3, 4),)
dynamic_shapes = ({0: Dim.AUTO, 1: Dim.DYNAMIC, 2: Dim.AUTO},)
