"""Conclusions drawn from the document: pure functions on `graphcap.graph` values. No torch, no Flask, no SQL."""
