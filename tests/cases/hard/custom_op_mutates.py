"""A custom op that writes into its argument: auto_functionalized in the functional stages."""
import torch


@torch.library.custom_op("hard::fill_", mutates_args=("x",))
def fill_(x: torch.Tensor, value: float) -> None:
    x.fill_(value)


class M(torch.nn.Module):
    def forward(self, x):
        y = x.sin()
        fill_(y, 2.0)
        return y + x


model = M()
example_args = (torch.randn(3),)
