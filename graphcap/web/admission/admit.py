"""What is asked before a submission is read: whether anything may be run for its sender, and whether it is too soon."""

from __future__ import annotations

from flask import request

from graphcap.errors import UserError
from graphcap.jobs.jailstate import WHAT_TO_DO, Tier, kept, may_run, why_not
from graphcap.store.records import Sender
from graphcap.web.admission.address import sender_of
from graphcap.web.services import Services, services


def admit() -> Sender:
    """The sender of the current request. Raises UserError "no-jail" or "rate-limited"."""
    found = services()
    sender = sender_of(request.environ, found.settings)
    if not may_run(tier_in_force(found), found.settings, sender.local):
        raise UserError("no-jail", "This server runs nothing for you", why_not(found.settings), WHAT_TO_DO)
    found.store.check_rate(sender)
    return sender


def tier_in_force(found: Services) -> Tier | None:
    """What the process that runs captures last said; None while it has said nothing."""
    jail = kept(found.settings).jail
    return None if jail is None else jail.tier
