"""What the checked-in log is of: two graph breaks, a size that changes, a reset of Dynamo, a backward that comes late."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc1 = nn.Linear(width, 2 * width)
        self.fc2 = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.fc2(torch.nn.functional.gelu(self.fc1(self.norm(x))))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block(8) for _ in range(2))

    def forward(self, x):
        x = self.blocks[0](x)
        if x.sum() > 0:
            x = x * 2
        print("between the blocks")
        return self.blocks[1](x)


@torch.compile
def early(x, w):
    return (x @ w).relu()


@torch.compile
def again(x, w):
    return (x * w).sin().sum()


@torch.compile
def chosen(x, y):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,)) + y


def main():
    torch.manual_seed(0)
    net = torch.compile(Net())
    for rows in (4, 4, 6):
        net(torch.ones(rows, 8)).square().mean().backward()
    torch._dynamo.reset()
    w = torch.randn(4, 4, requires_grad=True)
    late = early(torch.randn(4, 4), w).sum()
    torch._dynamo.reset()
    again(torch.randn(4, 4), w).backward()
    late.backward()
    torch._dynamo.reset()
    chosen(torch.randn(5), torch.randn(5))


if __name__ == "__main__":
    main()

# ruff: noqa  # written as people write models
