"""What plain eager PyTorch does, call by call, as an FX graph."""
