"""Pickles opened with care: what of them is read without being run, and what those that are run look up."""
