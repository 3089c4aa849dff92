"""What is captured, loaded: the target with its arguments, and the names of its tensors."""
