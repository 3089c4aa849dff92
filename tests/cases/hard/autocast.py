"""Autocast and grad mode regions."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(4, 4)
        self.b = torch.nn.Linear(4, 4)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.a(x)
        with torch.no_grad():
            z = self.b(x)
            with torch.enable_grad():
                z = self.b(z)
        return y.float() + z


model = M()
example_args = (torch.randn(2, 4),)
