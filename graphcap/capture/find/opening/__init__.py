"""Opens what holds a model and is no Python: exported programs, TorchScript, pickled modules. Runs in the jail only."""
