"""What a zygote loads in place of `graphcap.capture.warm` to have a jail with a wall missing: JAIL_WITHOUT names it."""

from __future__ import annotations

import dataclasses
import os

from graphcap.capture import warm as real
from graphcap.capture.warm import run
from graphcap.sandbox.jail.policy import Policy
from graphcap.sandbox.zygote import job, supervising
from graphcap.sandbox.zygote.protocol import Start

__all__ = ["run", "warm"]

whole = job.policy_of


def weak_policy(start: Start, ward: job.Ward, input_bytes: int) -> Policy:
    """The developers' switch of the policy, thrown."""
    missing = frozenset({os.environ["JAIL_WITHOUT"]})
    return dataclasses.replace(whole(start, ward, input_bytes), without=missing)  # type: ignore[arg-type]


def warm() -> None:
    """As the real one."""
    real.warm()
    for module in (job, supervising):
        module.policy_of = weak_policy  # type: ignore[attr-defined]
