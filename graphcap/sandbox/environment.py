"""The environment a command sees: its own, with nothing of the server's but where programs and libraries are."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

KEPT = ("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "TZ")
"""Variables of the server that say where its machine keeps things, not what it knows."""


def folders_of(home: Path) -> dict[str, Path]:
    """Makes the folders that variables name, all under `home`: variable -> folder."""
    folders = {
        "HOME": home,
        "TMPDIR": home / "tmp",
        "XDG_CACHE_HOME": home / "cache",
        "TORCHINDUCTOR_CACHE_DIR": home / "inductor",
    }
    for folder in folders.values():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folders


def clean_environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Variables for a command whose every file lies under `home`, which gets the folders they name."""
    return {
        **{name: os.environ[name] for name in KEPT if name in os.environ},
        **{name: str(folder) for name, folder in folders_of(home).items()},
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin")),
        "LANG": "C.UTF-8",
        "USER": "graphcap",  # whose id has no name in the jail
        "LOGNAME": "graphcap",
        "OMP_NUM_THREADS": "1",  # a capture may take a core, not all of them
        "MKL_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",  # what is printed before a crash is seen
        "PYTHONHASHSEED": "0",  # the same code gives the same graphs, sets and all
        "PYTHONSAFEPATH": "1",  # a submitted json.py or torch.py does not stand before the real one
        **(extra or {}),
    }
