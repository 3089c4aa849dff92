"""The captured function as torch runs it: fragments, and the Python between them."""
