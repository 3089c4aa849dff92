"""forward(*args, **kwargs), keyword tensors, lists and strings."""
import torch


class M(torch.nn.Module):
    def forward(self, *xs, mode="sum", **more):
        y = sum(xs) if mode == "sum" else torch.stack(xs)
        return y * more["scale"] + more["shift"][0]


model = M()
example_args = (torch.randn(3), torch.randn(3))
example_kwargs = {"mode": "sum", "scale": torch.tensor(2.0), "shift": [torch.ones(3), 4]}
