"""Opens what is no plain file of Python: notebooks, packages, TorchScript, pickles, weights. Runs in the jail only."""
