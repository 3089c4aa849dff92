"""Picks the strongest tier that holds here, by trying to break out of each."""

from __future__ import annotations

import dataclasses

from graphcap.sandbox.jail.policy import Tier


@dataclasses.dataclass(frozen=True)
class Chosen:
    """The tier to use, what it gives (one phrase each, for people), and for each stronger tier tried why it was refused."""

    tier: Tier
    gives: tuple[str, ...]
    refused: tuple[tuple[Tier, str], ...]


def choose_tier(minimum: Tier = "landlock", strongest: Tier = "namespaces") -> Chosen:
    """Tries the tiers from `strongest` down to `minimum`, each in a process of its own (about 0.2 s); "none" if none holds.

    Plants a readable secret, a canary file, a secret in the environment, loopback listeners and a sibling process, and
    lets a probe go for all of them in a real jail. A tier holds if every probe is stopped. Works from a process with threads.
    Whether to run anything with tier "none" is the caller's decision.
    """
    raise NotImplementedError
