"""The forward and the backward graph of one fragment held side by side: what is saved, recomputed, and why."""
