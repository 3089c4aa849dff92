"""One thread: a pool of threads does not survive the forks these tests are made of."""

import torch

torch.set_num_threads(1)
