"""Submitted Python is imported as a person would run it, under the name that its package gives it."""
