"""One migration per file, each naming the one before it."""
