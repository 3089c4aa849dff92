"""torch.func inside forward: vmap of grad, jacrev."""
import torch


class M(torch.nn.Module):
    def forward(self, x):
        def f(v):
            return (v.sin() * v).sum()

        return torch.func.vmap(torch.func.grad(f))(x), torch.func.jacrev(f)(x)


model = M()
example_args = (torch.randn(3, 2),)
