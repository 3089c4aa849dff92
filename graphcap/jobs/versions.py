"""What decides, beside a submission itself, what a run of it gives: the versions of everything it goes through."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import platform
from pathlib import Path

import graphcap
from graphcap.graph.document import SCHEMA
from graphcap.intake.submission import Submission

PACKAGE = Path(__file__).parents[1]
ROOMS = ("graph", "capture", "sandbox", "jobs")
"""Whose code a run goes through: a checkout that was changed gives no old documents, whatever its version says."""


@functools.cache
def torch_version() -> str | None:
    """The torch installed beside us, without importing it. As it was when this process first asked."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return None


@functools.cache
def versions() -> str:
    """All of them in one line."""
    return (
        f"torch {torch_version()}, graphcap {graphcap.__version__} {_code()}, {SCHEMA}, Python {platform.python_version()}"
    )


def reuse_key(submission: Submission) -> str:
    """The same for submissions that give the same: by content, options and versions."""
    return hashlib.sha256(f"{submission.sha256}\0{versions()}".encode()).hexdigest()


def _code() -> str:
    digest = hashlib.sha256()
    for room in ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(PACKAGE)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]
