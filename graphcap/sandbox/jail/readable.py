"""Which files Python itself must be able to read."""

from __future__ import annotations


def python_paths() -> tuple[str, ...]:
    """Standard library, installed packages, this package, shared libraries, /dev/null and zero, random, urandom.

    Absolute, those that exist. No configuration of the machine but ld.so.cache; no folder of sys.path outside Python's own.
    """
    raise NotImplementedError
