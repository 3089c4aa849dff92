"""scan that is differentiated."""
import torch
from torch._higher_order_ops.scan import scan


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(4, 4))

    def forward(self, h, xs):
        def step(h, x):
            h = torch.tanh(h @ self.w + x)
            return h, h.clone()

        return scan(step, h, xs, dim=0)


model = M()
example_args = (torch.zeros(4), torch.randn(5, 4))
