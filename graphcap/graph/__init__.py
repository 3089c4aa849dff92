"""The contract between the rooms: the document, its codec, its checks. No torch, no Flask, no SQL."""
