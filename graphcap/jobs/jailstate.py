"""What the runner knows of the jail, kept in the data folder so that every web worker knows it too.

The process that holds the runner lock chooses a tier and warms zygotes; it says so with `keep`, and the others read it
with `kept`. `may_run` is the one rule about who may run code where there is no jail: the web asks it before it takes a
submission, and the runner asks again before it runs one.
"""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path
from typing import Literal

import msgspec

from graphcap.graph.document import Failure
from graphcap.settings import Settings

log = logging.getLogger(__name__)

Tier = Literal["namespaces", "landlock", "none"]
"""Strongest first: namespaces with Landlock and seccomp; Landlock and seccomp alone; nothing."""

ZygoteStatus = Literal["warming", "ready", "draining", "failed"]

FILE = "runner.json"


class JailState(msgspec.Struct, frozen=True):
    """The tier in force, what it gives in words, and why each stronger tier was refused: (tier, why)."""

    tier: Tier
    gives: tuple[str, ...] = ()
    refused: tuple[tuple[Tier, str], ...] = ()


class ZygoteState(msgspec.Struct, frozen=True):
    """One warm process. `captures` it has taken so far, `running` of them now; `since` is seconds since 1970."""

    status: ZygoteStatus
    pid: int
    captures: int = 0
    running: int = 0
    since: float = 0.0
    detail: str = ""


class RunnerState(msgspec.Struct, frozen=True):
    """What the runner last said. `jail` is None until a tier was chosen."""

    jail: JailState | None = None
    zygotes: tuple[ZygoteState, ...] = ()
    pid: int = 0

    @property
    def tier(self) -> Tier | None:
        """The tier in force; None until one was chosen."""
        return None if self.jail is None else self.jail.tier


def keep(settings: Settings, state: RunnerState) -> None:
    """Says it to every process of this data folder. Only for the one that holds the runner lock."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    file, name = tempfile.mkstemp(prefix=".runner-", dir=settings.data_dir)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(msgspec.json.encode(state))
        os.replace(name, settings.data_dir / FILE)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def kept(settings: Settings) -> RunnerState:
    """What the runner said last; nothing known where it has said nothing, or nothing that can be read."""
    try:
        return msgspec.json.decode((settings.data_dir / FILE).read_bytes(), type=RunnerState)
    except (OSError, msgspec.MsgspecError):
        return RunnerState()


def forget(settings: Settings) -> None:
    """Another machine, or this one after an update, may have another tier: the runner calls this before it chooses."""
    (settings.data_dir / FILE).unlink(missing_ok=True)


def may_run(tier: Tier | None, settings: Settings, local: bool) -> bool:
    """Whether a submission may be run. `local`: it was sent on this machine, through no proxy.

    While no tier is chosen yet (None) a submission may wait; the runner asks again when it takes it.
    """
    return tier != "none" or (settings.unsafe_no_jail and local)


def why_not(settings: Settings) -> str:
    """One sentence for people: why `may_run` said no."""
    if settings.unsafe_no_jail:
        return (
            "This machine can not confine what it runs, so it runs only what is sent from the machine itself, "
            "not through a proxy."
        )
    return "This machine can not confine what it runs, so it runs nothing."


def refusal(settings: Settings) -> Failure:
    """How a capture ends that was queued and may not run."""
    return Failure(type="no-jail", message=why_not(settings), hints=(WHAT_TO_DO,))


WHAT_TO_DO = (
    "Whoever runs this server: use a Linux kernel and container settings that allow a jail (docs/deploy.md). "
    "To run only your own code, on your own machine: set GRAPHCAP_UNSAFE_NO_JAIL=1."
)


def announce(jail: JailState, settings: Settings) -> None:
    """The start-up line."""
    refused = "".join(f"\n    {tier}: {why}" for tier, why in jail.refused)
    stronger = f"\n  Stronger tiers this machine refused:{refused}" if refused else ""
    if jail.tier != "none":
        log.info("captures run in the jail, tier %s: %s%s", jail.tier, "; ".join(jail.gives), stronger)
    elif settings.unsafe_no_jail:
        log.warning(
            "captures run WITHOUT a jail (GRAPHCAP_UNSAFE_NO_JAIL): whatever is submitted can read and change all that "
            "this user can. Only requests from this machine are taken, and none that came through a proxy.%s",
            stronger,
        )
    else:
        log.warning(
            "nothing will be run: this machine has no jail to run it in, and a submission is a program.\n"
            "  To run only your own code, on your own machine, start it with GRAPHCAP_UNSAFE_NO_JAIL=1, for example:\n"
            "    GRAPHCAP_UNSAFE_NO_JAIL=1 make run\n"
            "  For others to use it, give it a jail: docs/deploy.md.%s",
            stronger,
        )
