"""The door of intake: raw uploads or pasted code in, a checked `Submission` out, or a `UserError` that says what to do."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from graphcap.intake.submission import Submission
from graphcap.settings import Settings


@dataclasses.dataclass(frozen=True)
class Upload:
    """A file as it came: `name` is what the browser said, not to be trusted."""

    name: str
    data: bytes


def accept_files(uploads: Sequence[Upload], options: str | bytes | None, settings: Settings) -> Submission:
    """Uploaded files with options as JSON text (None or empty: the defaults)."""
    raise NotImplementedError


def accept_code(code: str, name: str | None, options: object, settings: Settings) -> Submission:
    """Pasted code with options as decoded JSON (None: the defaults)."""
    raise NotImplementedError
