"""Breaks by an explicit call, by a disabled function, and inside a loop."""
import torch


@torch.compiler.disable
def outside(x):
    return x.numpy().sum()


class M(torch.nn.Module):
    def forward(self, x):
        y = x.sin()
        torch._dynamo.graph_break()
        y = y + float(outside(y))
        for i in range(2):
            y = y.cos()
            torch._dynamo.graph_break()
        return y


model = M()
example_args = (torch.ones(3),)
