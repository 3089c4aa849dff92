"""Training step: a transformer and its optimizer

A script with two calls under torch.compile: the loss, whose joint graph is cut into forward and backward, and the update, a
graph of its own that writes into every parameter.
"""

import torch
import torch.nn.functional as F
from torch import nn

VOCABULARY, WIDTH = 64, 32


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, WIDTH)
        self.block = nn.TransformerEncoderLayer(WIDTH, 2, 4 * WIDTH, dropout=0.0, batch_first=True)
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, ids):
        return self.head(self.block(self.embedding(ids)))


model = Transformer()
parameters = list(model.parameters())
momenta = [torch.zeros_like(parameter) for parameter in parameters]


@torch.compile
def loss_of(ids):
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())


@torch.compile
@torch.no_grad()
def update(parameters, gradients, momenta):
    for parameter, gradient, momentum in zip(parameters, gradients, momenta, strict=True):
        momentum.mul_(0.9).add_(gradient)
        parameter.sub_(0.01 * momentum)


for step in range(2):
    loss = loss_of(torch.randint(VOCABULARY, (2, 9)))
    gradients = torch.autograd.grad(loss, parameters)
    update(parameters, gradients, momenta)
    print(step, loss.item())
