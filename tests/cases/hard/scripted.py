"""A TorchScript function inside."""
import torch


@torch.jit.script
def gelu(x):
    return x * torch.sigmoid(1.702 * x)


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 3)

    def forward(self, x):
        return gelu(self.l(x))


model = M()
example_args = (torch.randn(2, 3),)
