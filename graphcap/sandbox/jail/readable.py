"""Which files Python itself must be able to read."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
PACKAGE = Path(__file__).resolve().parents[2]  # .../graphcap


def python_paths() -> tuple[str, ...]:
    """Standard library, installed packages, this package, shared libraries, /dev/null and zero, random, urandom.

    Absolute, those that exist. No configuration of the machine but ld.so.cache; no folder of sys.path outside Python's own
    and the user's packages (`pip install --user`): what PYTHONPATH or an editable install names may hold anything.
    """
    own = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    inside = [path for path in sys.path if path.startswith((sys.prefix + "/lib", sys.base_prefix + "/lib"))]
    shared = sorted(str(path) for path in Path(sys.base_prefix, "lib").glob("libpython*"))
    marks = [str(Path(sys.prefix, "pyvenv.cfg"))]
    of_user = [path for path in sys.path if path == site.getusersitepackages()]
    wanted = (*own, *inside, *of_user, *shared, *marks, str(PACKAGE), *LIBRARIES, *DEVICES)
    return outermost(path for path in wanted if path and os.path.exists(path))


def outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """In order of name, without those that lie below another."""
    found: list[str] = []
    for path in sorted({os.path.normpath(path) for path in paths}, key=lambda path: path.split("/")):
        if not (found and path.startswith(found[-1].rstrip("/") + "/")):
            found.append(path)
    return tuple(found)
