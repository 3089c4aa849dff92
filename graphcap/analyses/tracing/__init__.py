"""What computes a node, what is computed of it, what differentiates it: pure functions on graphs. The door is `trace`."""
