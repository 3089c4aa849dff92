"""nn.TransformerEncoderLayer in eval mode: the fast path, nn.MultiheadAttention."""
import torch

model = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
example_args = (torch.randn(2, 4, 8),)
