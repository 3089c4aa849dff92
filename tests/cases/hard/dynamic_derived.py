"""Dims given by name, derived from one another, and left to torch; inputs nested in a dict."""
import torch
from torch.export import Dim

half = Dim("half", min=2, max=64)


class M(torch.nn.Module):
    def forward(self, batch, scale):
        a, b = batch["a"], batch["b"]
        return a[::2] + b, a.reshape(b.shape[0], -1) * scale, a.shape[0] // 2


model = M()
example_args = ({"a": torch.randn(8, 3), "b": torch.randn(4, 3)}, 1.5)
dynamic_shapes = ({"a": {0: 2 * half}, "b": {0: half}}, None)
