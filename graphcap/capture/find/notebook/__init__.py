"""Notebooks: their cells run one by one, and told of."""
