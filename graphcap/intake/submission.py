"""What intake hands on: the checked, immutable thing a person sent."""

from __future__ import annotations

import dataclasses
from typing import Literal

from graphcap.graph.document import Options

Kind = Literal["py", "pt2"]
"""What a submission is: Python code, or an archive written by `torch.export.save`."""


@dataclasses.dataclass(frozen=True)
class SubmittedFile:
    """One file. `name` is a plain file name, safe to create in a folder of its own."""

    name: str
    data: bytes


@dataclasses.dataclass(frozen=True)
class Submission:
    """Files and options, checked. `entry` names the file to capture.

    `sha256` (hex) covers kind, entry, files and every option but `rerun`: whatever decides what a run gives.
    """

    files: tuple[SubmittedFile, ...]
    kind: Kind
    entry: str
    options: Options
    sha256: str
