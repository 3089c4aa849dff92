"""The errors a person may see: a stable code, an HTTP status, and a message that is safe to show.

Anything else that is raised is a fault of ours: logged whole, shown as `internal` without its text.
"""

from __future__ import annotations

STATUS: dict[str, int] = {
    "bad-request": 400,
    "bad-options": 400,
    "bad-inputs": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "no-jail": 403,
    "not-found": 404,
    "method-not-allowed": 405,
    "conflict": 409,
    "gone": 410,
    "too-large": 413,
    "unsupported-upload": 415,
    "empty-upload": 422,
    "not-text": 422,
    "which-entry": 422,
    "bad-document": 422,
    "rate-limited": 429,
    "too-many-captures": 429,
    "too-many-streams": 429,
    "too-many-files": 429,
    "too-busy": 503,
    "internal": 500,
}
"""Every error code of the API with its HTTP status."""


class UserError(Exception):
    """Something a person can mend. `detail` says what was wrong and where; `hint` what to do; `retry_after` is seconds."""

    def __init__(self, code: str, title: str, detail: str = "", hint: str = "", *, retry_after: int | None = None) -> None:
        super().__init__(f"{title}: {detail}" if detail else title)
        self.code = code
        self.status = STATUS[code]
        self.title = title
        self.detail = detail
        self.hint = hint
        self.retry_after = retry_after
