"""Channels last, transposed, expanded and strided views; a conv that keeps the layout."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)

    def forward(self, x, y):
        z = self.conv(x)
        return z, y.t() @ y, y[:1].expand(3, -1), y.as_strided((2, 2), (1, 2)), z.permute(0, 2, 3, 1)


model = M()
example_args = (torch.randn(1, 3, 5, 5).to(memory_format=torch.channels_last), torch.randn(4, 6).t())
