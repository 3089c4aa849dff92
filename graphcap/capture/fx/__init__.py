"""torch.fx values to values of the document: one file for each thing that a node's meta carries."""
