"""The person's file of these tests: small models, each for one behaviour of torch.compile."""

# ruff: noqa: T201 - a print is the shortest graph break

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import nn
from torch._higher_order_ops.while_loop import while_loop
from torch.utils.checkpoint import checkpoint

from graphcap.capture.target.loaded import Loaded

X = torch.ones(2, 3)


def target(model: Any, *args: Any, **more: Any) -> Loaded:
    return Loaded("t1", "target", model, args, **more)


class TwoBreaks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x)
        print("one")  # break: one
        x = x.relu()
        print("two")  # break: two
        return x * 2


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear(x)
        print("inside")  # break: inner
        return x + 1


class Outer(nn.Module):
    """Dynamo compiles `Inner.forward` as a frame of its own, where `self` is the inner module."""

    def __init__(self) -> None:
        super().__init__()
        self.deep = nn.ModuleList([Inner()])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.relu()
        x = self.deep[0](x)  # break: outer
        return x.sum()


class Recompiled(nn.Module):
    """The inner function is compiled twice, since its second input requires grad."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range(3):
            x = self.inner(x)
        return x


class Branching(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # break: branch
            return x * 2
        return x


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(3, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lstm(x)[0]  # break: lstm


class Nothing(nn.Module):
    def forward(self, x: torch.Tensor) -> None:
        return None


class Looped(nn.Module):
    """A break in a loop: the frame is given up, the functions it calls are captured."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Quiet()

    def forward(self, x: torch.Tensor) -> torch.Tensor:  # frame: looped
        for _ in range(2):
            x = self.inner(x)
            print("loop")
        return x


class Quiet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x).relu()


SCALE = torch.full((3,), 2.0)


class Named(nn.Module):
    """Every kind of value that Dynamo reads from outside."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3, bias=False), nn.BatchNorm1d(3))
        self.register_buffer("seen", torch.zeros(3), persistent=False)
        self.plain = torch.ones(3)

    def forward(self, x: torch.Tensor, more: dict[str, list[torch.Tensor]]) -> torch.Tensor:
        self.seen.add_(1)
        return self.body(x) * self.plain * SCALE + more["a"][0]


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encode = nn.Linear(3, 3, bias=False)
        self.decode = nn.Linear(3, 3, bias=False)
        self.decode.weight = self.encode.weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.decode(self.encode(x))


class Config:
    def __init__(self) -> None:
        self.mode = "fast"


class Configured(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = Config()
        self.factor = 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.config.mode == "fast":  # guard: mode
            return x * self.factor
        return x


@torch.library.custom_op("compile_models::no_fake", mutates_args=())
def no_fake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


class NoFake(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return no_fake(x) + 1  # fails: no fake


@torch.library.custom_op("compile_models::broken", mutates_args=())
def broken(x: torch.Tensor) -> torch.Tensor:
    raise ValueError("this kernel never works")


@broken.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


broken.register_autograd(lambda ctx, grad: grad)


class BrokenKernel(nn.Module):
    """Can be captured, cannot be run."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return broken(x * self.weight)


class RaisesLater(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + 1
        print("before")
        raise ValueError("not today")  # fails: later


class Warned(nn.Module):
    """torch warns that the branch is chosen while tracing; the person's own warning is theirs."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.shape[0] > 1, lambda x: x + 1, lambda x: x + 2, (x,))


class WarnsItself(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + 1
        warnings.warn("the person's own warning", stacklevel=1)
        return x * 2


class Chain(nn.Module):
    """Cheap ops between matrix products: min_cut recomputes them, default saves them."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = torch.cos(torch.sin(layer(x))) * x
        return x.sum()


class Normed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.gelu(self.norm(x)).t()


class NoGrad(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x).detach()


class HalfGrad(nn.Module):
    """A fragment without anything that requires grad, then one with."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x * 2
        print("between")
        return self.linear(x)


class LoopAfterLinear(nn.Module):
    """Three fragments; AOTAutograd cannot differentiate the while_loop of the second."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.body = nn.Linear(3, 3)

    def forward(self, i: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x)
        print("first")
        i, x = while_loop(lambda i, x: i > 0, lambda i, x: (i - 1, self.body(x)), (i, x))  # fails: while
        print("second")
        return x * 2


class Transposed(nn.Module):
    """Batch norm of a transposed input: the captured graph has a view that cannot be made of the real tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(8)
        self.linear = nn.Linear(8, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(x.transpose(1, 2)).transpose(1, 2)
        return self.linear(y)  # fails: view


class Choice(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.yes = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, lambda x: self.yes(x), lambda x: x * 2, (x,))


class Sized(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) * x.shape[0]


class Checkpointed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return checkpoint(lambda y: self.b(torch.sin(self.a(y))), x, use_reentrant=False)


class Hooked(nn.Module):
    """Hooks of the target itself are compiled as frames of their own, after the target's."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.register_forward_hook(lambda module, args, output: output.sin())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


def line_of(mark: str) -> int:
    """The line of this file that ends in `# mark`."""
    with open(__file__, encoding="utf-8") as file:
        lines = file.read().split("\n")
    (found,) = [i for i, line in enumerate(lines, 1) if line.endswith(f"# {mark}")]
    return found
