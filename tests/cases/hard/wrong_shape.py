"""Shapes that do not fit: torch's own error, by every route."""
import torch

model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(5, 2))
example_args = (torch.randn(2, 3),)
