"""What intake hands on: the checked, immutable thing a person sent."""

from __future__ import annotations

import dataclasses

from graphcap.graph.document import Options
from graphcap.graph.stream import Kind


@dataclasses.dataclass(frozen=True)
class SubmittedFile:
    """One file. `name` is a relative path with `/`, safe to create in a folder of its own: `pkg/net.py`."""

    name: str
    data: bytes


@dataclasses.dataclass(frozen=True)
class Submission:
    """Files and options, checked. `entry` names the file to capture, the first; the others lie beside it.

    Of a notebook, the Python that its cells make lies beside it too, under `NOTEBOOK.py`.

    `sha256` (hex) covers kind, entry, files and every option but `rerun`: whatever decides what a run gives.
    """

    files: tuple[SubmittedFile, ...]
    kind: Kind
    entry: str
    options: Options
    sha256: str
