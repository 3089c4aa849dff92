"""What other ways of looking need of a graph's nodes: the op each was decomposed from, dtype, bytes, core or not."""
