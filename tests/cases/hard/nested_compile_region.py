"""A region compiled once and called three times."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))

    @torch.compiler.nested_compile_region
    def block(self, layer, x):
        return layer(x).relu() + x

    def forward(self, x):
        for layer in self.layers:
            x = self.block(layer, x)
        return x


model = M()
example_args = (torch.randn(2, 4),)
