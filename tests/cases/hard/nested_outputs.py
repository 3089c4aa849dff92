"""Outputs in dicts, named tuples, a registered dataclass, lists and the same tensor twice."""
import collections
import dataclasses
import torch

Pair = collections.namedtuple("Pair", "first second")


@dataclasses.dataclass
class Result:
    loss: torch.Tensor
    extra: dict


torch.export.register_dataclass(Result, serialized_type_name="hard.Result")


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 2)

    def forward(self, x):
        y = self.l(x)
        return Result(y.sum(), {"pair": Pair(y, y.sin()), "list": [x, (y, None)], "same": y})


model = M()
example_args = (torch.randn(2, 3),)
