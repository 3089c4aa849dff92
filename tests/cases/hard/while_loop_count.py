"""while_loop without gradients."""
import torch
from torch._higher_order_ops.while_loop import while_loop


class M(torch.nn.Module):
    def forward(self, n, x):
        return while_loop(lambda n, x: n > 0, lambda n, x: (n - 1, x.sin() + n), (n, x))


model = M()
example_args = (torch.tensor(3), torch.randn(2))
