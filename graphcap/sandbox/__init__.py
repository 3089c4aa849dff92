"""Runs one command under limits and says what happened. Knows nothing of graphs. The door is `graphcap.sandbox.run`."""
