"""What torch.load takes for the module `pickle`, with an unpickler of ours in place of Python's."""

from __future__ import annotations

import pickle
import types


def pickle_with(unpickler: type[pickle.Unpickler]) -> types.ModuleType:
    """Python's own in all else."""
    ours = types.ModuleType("pickle")
    vars(ours).update(vars(pickle), Unpickler=unpickler)
    return ours
