"""A custom op with a fake kernel and a backward."""
import torch


@torch.library.custom_op("hard::scale", mutates_args=())
def scale(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by


@scale.register_fake
def _(x, by):
    return torch.empty_like(x)


scale.register_autograd(lambda ctx, g: (g * ctx.by, None), setup_context=lambda ctx, inputs, output: setattr(ctx, "by", inputs[1]))


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 3)

    def forward(self, x):
        return scale(self.l(x), 3.0)


model = M()
example_args = (torch.randn(2, 3),)
