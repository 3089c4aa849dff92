"""Small and wide dtypes side by side."""
import torch


class M(torch.nn.Module):
    def forward(self, x, b, i):
        return (
            x.double() + 1,
            x.to(torch.bfloat16) * 2,
            x.half().sum(),
            x.to(torch.float8_e4m3fn),
            b & (x > 0),
            i.to(torch.uint8),
            i.to(torch.int16) // 2,
            torch.empty_like(i, dtype=torch.uint16),
        )


model = M()
example_args = (torch.randn(3), torch.tensor([True, False, True]), torch.tensor([1, 2, 3]))
