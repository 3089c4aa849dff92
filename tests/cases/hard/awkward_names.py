"""Names that are keywords, builtins or torch's own words; parameters in lists and dicts."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.graph = torch.nn.Parameter(torch.randn(3))
        self.many = torch.nn.ParameterList(torch.randn(3) for _ in range(2))
        self.named = torch.nn.ParameterDict({"class": torch.randn(3), "sum": torch.randn(3)})
        self.add_module("lambda", torch.nn.Linear(3, 3))

    def forward(self, input, output, sum=1.0):
        x = input * self.graph + self.many[0] - self.many[1]
        x = getattr(self, "lambda")(x * self.named["class"] + self.named["sum"])
        return (x + output).sum() * sum


model = M()
example_args = (torch.randn(3), torch.randn(3))
