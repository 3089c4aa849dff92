"""Sin: the smallest graph

One sine and one sum. Select `sum` and find it again in every stage, from the eager call to core ATen.
"""

import torch


class Sin(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x).sum()


ep = torch.export.export(Sin(), (torch.randn(4),))
print(ep.graph)
