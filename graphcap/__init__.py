"""graphcap: see what PyTorch's compiler stack sees, stage by stage."""

__version__ = "0.1.0"
