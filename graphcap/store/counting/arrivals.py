"""Who sent what lately, and how much one sender may send. An address is kept for a minute, or until its capture ended."""

from __future__ import annotations

import math

from sqlalchemy import Connection, delete, func, insert, select

from graphcap.errors import UserError
from graphcap.store.records import Sender
from graphcap.store.tables import arrivals, captures

WINDOW_SECONDS = 60.0
LOCAL = "local"
"""What stands for every sender on this machine itself."""

_UNENDED = ("queued", "running")


def check_rate(connection: Connection, sender: Sender, now: float) -> None:
    """Raises UserError("rate-limited") if one more is too many in this minute."""
    if sender.local or not sender.per_minute:
        return
    newest = (
        select(arrivals.c.at)
        .where(arrivals.c.sender == sender.address, arrivals.c.at > now - WINDOW_SECONDS)
        .order_by(arrivals.c.at.desc())
        .offset(sender.per_minute - 1)
        .limit(1)
    )
    blocking = connection.scalar(newest)  # once this one is a minute old there is room again
    if blocking is not None:
        seconds = max(1, math.ceil(blocking + WINDOW_SECONDS - now))
        raise UserError(
            "rate-limited",
            "Too many captures in a short time",
            f"This server takes {sender.per_minute} captures a minute from one address.",
            f"Try again in {seconds} s.",
            retry_after=seconds,
        )


def check_at_once(connection: Connection, sender: Sender) -> None:
    """Raises UserError("too-many-captures") if one more would be too many that wait or run."""
    if sender.local or not sender.at_once:
        return
    own = arrivals.join(captures, captures.c.number == arrivals.c.capture)
    count = select(func.count()).select_from(own)
    open_ = connection.scalar(count.where(arrivals.c.sender == sender.address, captures.c.status.in_(_UNENDED))) or 0
    if open_ >= sender.at_once:
        raise UserError(
            "too-many-captures",
            "Your other captures have to end first",
            f"{open_} captures of your address wait or run; this server takes {sender.at_once} at once.",
            "Wait until one has ended, or cancel one.",
        )


def record(connection: Connection, sender: Sender, capture: int, now: float) -> None:
    """Notes an arrival, and forgets those that no limit asks for any more."""
    unended = select(captures.c.number).where(captures.c.status.in_(_UNENDED))
    past = arrivals.c.at <= now - WINDOW_SECONDS
    connection.execute(delete(arrivals).where(past, arrivals.c.capture.is_(None) | arrivals.c.capture.not_in(unended)))
    address = LOCAL if sender.local else sender.address
    if address:
        connection.execute(insert(arrivals).values(sender=address, at=now, capture=capture))


def was_local(connection: Connection, capture: int) -> bool:
    """Whether a capture that has not ended was sent from this machine itself. False where nothing is known."""
    return connection.scalar(select(arrivals.c.sender).where(arrivals.c.capture == capture)) == LOCAL
