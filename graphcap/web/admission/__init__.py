"""The limits of one address: who sends a request, and how many long answers each may hold open."""
