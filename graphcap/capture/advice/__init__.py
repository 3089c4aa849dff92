"""What to try, where a submitted file fails in a way that is known."""
