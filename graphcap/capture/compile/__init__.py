"""What torch.compile did, concluded while it runs: names of inputs, breaks, guards, and the graphs of AOTAutograd."""
