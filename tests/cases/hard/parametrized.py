"""weight_norm and spectral_norm as parametrizations."""
import torch
from torch.nn.utils.parametrizations import spectral_norm, weight_norm

model = torch.nn.Sequential(weight_norm(torch.nn.Linear(3, 4)), spectral_norm(torch.nn.Linear(4, 2)))
example_args = (torch.randn(2, 3),)
