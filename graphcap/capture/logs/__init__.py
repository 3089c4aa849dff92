"""Reads what a run of torch.compile wrote under TORCH_TRACE. Text only: nothing in a log is imported, evaluated or run."""
