"""Picks the strongest tier that holds here, by trying to break out of each."""

from __future__ import annotations

import dataclasses
import json
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

from graphcap.sandbox.jail.policy import TIERS, Layer, Tier
from graphcap.sandbox.jail.readable import python_paths

SECONDS = 20  # the process gives up by itself before
SECRET_VARIABLE = "GRAPHCAP_SELF_TEST_SECRET"
ROOT = Path(__file__).resolve().parents[4]
RUN = "import sys; sys.path.insert(0, sys.argv[1]); from graphcap.sandbox.jail.selftest.run import main; main()"


@dataclasses.dataclass(frozen=True)
class Chosen:
    """The tier to use, what it gives (one phrase each, for people), and for each stronger tier tried why it was refused."""

    tier: Tier
    gives: tuple[str, ...]
    refused: tuple[tuple[Tier, str], ...]


def choose_tier(minimum: Tier = "landlock", strongest: Tier = "namespaces") -> Chosen:
    """Tries the tiers from `strongest` down to `minimum`, each in a process of its own (about 0.2 s); "none" if none holds.

    Plants a readable secret, a canary file, a secret in the environment and loopback listeners, plays the server, and lets
    a job in a real jail go for all of them. A tier holds if every probe is stopped. Works from a process with threads.
    Whether to run anything with tier "none" is the caller's decision.
    """
    refused: list[tuple[Tier, str]] = []
    for tier in TIERS[TIERS.index(strongest) : TIERS.index(minimum) + 1]:
        if tier == "none":
            continue
        report = try_tier(tier)
        why = reason(report)
        if not why:
            return Chosen(tier, gives(tier, report), tuple(refused))
        refused.append((tier, why))
    return Chosen("none", (), tuple(refused))


def try_tier(tier: Tier, without: frozenset[Layer] = frozenset()) -> dict[str, Any]:
    """The `Report` of one tier, as a dictionary; `error` alone if there is none. `without`: for tests of the probes."""
    arguments = [str(ROOT), tier, json.dumps(python_paths()), json.dumps(sorted(without))]
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", RUN, *arguments],
            env={SECRET_VARIABLE: secrets.token_hex(16)},
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )
        report: dict[str, Any] = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return {"error": f"the self-test did not end in order: {error}"}
    return report


def reason(report: dict[str, Any]) -> str:
    """Why the tier does not hold; "" if it does."""
    if report["error"]:
        return str(report["error"])
    return f"a job in it could: {', '.join(report['broken'])}" if report["broken"] else ""


def gives(tier: Tier, report: dict[str, Any]) -> tuple[str, ...]:
    """What the tier gives on this machine, one phrase each."""
    version = report["landlock"]
    rooms = (
        "own user, process, mount, network and IPC namespaces for every capture",
        "a read-only root folder that holds Python and its libraries only",
        "a private folder in memory, of limited size, gone with the capture",
    )
    files = "Landlock: only Python and its libraries can be opened" + ("; no signals outwards" if version >= 6 else "")
    return (
        *(rooms if tier == "namespaces" else ("nothing of the server's files can be opened", "no private folder")),
        *((f"{files} (ABI {version})",) if version else ()),
        "seccomp: system calls from a list, no sockets, no programs",
        "limits on memory, CPU time, processes, open files and file sizes",
        f"runs as user {report['user']}, without capabilities",
    )
