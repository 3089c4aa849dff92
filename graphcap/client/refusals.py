"""What a server refuses with, `application/problem+json`, as the error it was made of."""

from __future__ import annotations

import re

import msgspec

from graphcap.errors import STATUS, UserError

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""A terminal would act on them."""


class _Problem(msgspec.Struct):
    code: str = ""
    title: str = ""
    detail: str = ""
    hint: str = ""


def refusal(status: int, body: bytes) -> UserError:
    """The error that an answer with this HTTP status and body stands for; what is no problem of graphcap's is one too."""
    try:
        said = msgspec.json.decode(CONTROL.sub("", body.decode(errors="replace")), type=_Problem)
    except msgspec.MsgspecError:
        said = _Problem()
    code = said.code if said.code in STATUS else "bad-request"
    title, detail, hint = (CONTROL.sub("", text) for text in (said.title, said.detail, said.hint))
    title = title or f"The server answered {status}"
    return UserError(code, title, detail, hint or ("" if said.code else "Is graphcap running there?"))
