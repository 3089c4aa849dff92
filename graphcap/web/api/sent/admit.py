"""What is asked before a submission is read: whether anything may be run for its sender, and whether it is too soon."""

from __future__ import annotations

from flask import request

from graphcap.errors import UserError
from graphcap.jobs.jailstate import WHAT_TO_DO, kept, may_run, why_not
from graphcap.store.records import Sender
from graphcap.web.admission.address import sender_of
from graphcap.web.services import services


def admit() -> Sender:
    """The sender of the current request. Raises UserError "no-jail" or "rate-limited"."""
    found = services()
    sender = sender_of(request.environ, found.settings)
    if not may_run(kept(found.settings).tier, found.settings, sender.local):
        raise UserError("no-jail", "This server runs nothing for you", why_not(found.settings), WHAT_TO_DO)
    found.store.check_rate(sender)
    return sender
