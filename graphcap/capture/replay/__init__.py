"""Runs a stage's graphs on the example inputs and compares what they give with eager PyTorch. Nothing waits for it."""
