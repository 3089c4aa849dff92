"""Complex values, forward and backward."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.randn(4, 3, dtype=torch.complex64))

    def forward(self, x):
        y = torch.fft.rfft(x, dim=0) * self.w
        return torch.view_as_real(y), y.abs().sum(), y


model = M()
example_args = (torch.randn(6, 3),)
