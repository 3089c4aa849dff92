"""A model that prints and warns while it runs."""
import logging
import warnings
import torch


class M(torch.nn.Module):
    def forward(self, x):
        print("shape", x.shape)
        warnings.warn("careful")
        logging.getLogger(__name__).warning("logged")
        return x.sin()


model = M()
example_args = (torch.randn(3),)
