"""Two graph breaks: one function, three fragments

Dynamo cannot trace a `print`, nor an `if` on a tensor's value. It compiles what came before, lets Python run that line and
starts anew after it. Each break shows its reason and its line.
"""

import torch


@torch.compile(backend="eager")
def normalize(x):
    x = x - x.mean()
    print("centred")
    if x.std() > 1:
        x = x / x.std()
    return x.tanh()


normalize(torch.arange(8.0, requires_grad=True))
