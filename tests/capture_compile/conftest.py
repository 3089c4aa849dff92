"""What every fork of these tests starts with."""

import torch
import torch._dynamo
import torch._functorch.aot_autograd
import torch._inductor.utils  # AOTAutograd imports it on first use: a second and a half in every fork

torch.set_num_threads(1)  # a pool of threads does not survive a fork
