"""The self-test holds both tiers for good, whoever starts it, and sees every hole that is made in one."""

from __future__ import annotations

import ast
import subprocess

import pytest

from graphcap.sandbox.jail.selftest import choose
from graphcap.sandbox.jail.selftest.probes import PROBES
from tests.jail.jailed import HERE, STARTERS, command


def as_starter(starter: str, expression: str) -> str:
    """What an expression about `choose` gives, in a process of this starter."""
    code = f"import sys; sys.path.insert(0, {str(HERE.parents[1])!r}); from graphcap.sandbox.jail.selftest import choose; "
    done = subprocess.run(
        [*command(starter), "-c", code + f"print(repr({expression}))"], capture_output=True, text=True, env={}, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("starter", STARTERS)
def test_strongest_tier_is_chosen_here(starter: str) -> None:
    assert as_starter(starter, "choose.choose_tier()").startswith("Chosen(tier='namespaces'")


@pytest.mark.parametrize("starter", STARTERS)
def test_second_tier_holds_too(starter: str) -> None:
    assert as_starter(starter, "choose.choose_tier(strongest='landlock').tier") == "'landlock'"


def test_tier_none_is_never_tried() -> None:
    chosen = choose.choose_tier(minimum="none", strongest="none")
    assert (chosen.tier, chosen.gives) == ("none", ())


def test_everything_but_the_kernels_own_rules_falls_without_a_jail() -> None:
    broken = set(choose.try_tier("none")["broken"])
    assert len(broken) >= 12 and broken < set(PROBES)


HOLES = {
    ("namespaces", ("root", "landlock", "seccomp")): {
        "read a file",
        "list a folder",
        "write a file",
        "truncate a file",
        "Unix socket",
    },
    ("namespaces", ("net", "landlock", "seccomp")): {"TCP", "UDP"},
    ("namespaces", ("pid", "landlock", "seccomp")): {"signal the server"},
    ("namespaces", ("seccomp",)): {"fork", "make a user namespace"},
    ("namespaces", ("rlimits",)): {"memory over the limit", "threads over the limit"},
    ("landlock", ("landlock",)): {"read a file", "list a folder", "write a file", "truncate a file"},
    ("landlock", ("seccomp",)): {"UDP", "Unix socket", "fork", "make a user namespace"},
    ("landlock", ("rlimits",)): {"memory over the limit", "threads over the limit"},
    ("landlock", ("landlock", "seccomp")): {"TCP", "signal the server", "run a program"},
}
"""Tier and layers left out -> probes that must get through, at least."""


@pytest.mark.parametrize(("tier", "without"), HOLES)
def test_a_hole_is_seen(tier: str, without: tuple[str, ...]) -> None:
    report = ast.literal_eval(as_starter(STARTERS[-1], f"choose.try_tier({tier!r}, frozenset({without!r}))"))
    assert set(report["broken"]) >= HOLES[tier, without], report
    assert choose.reason(report)


def test_a_thread_on_its_way_out_does_not_hide_a_hole() -> None:
    """unshare(2) gives EINVAL while a second thread is there, also one that Python has joined."""
    code = f"""
import sys, threading, time
sys.path.insert(0, {str(HERE.parents[1])!r})
from graphcap.sandbox.jail.selftest import probes
threading.Thread(target=time.sleep, args=(0.2,)).start()
probes.user_namespace(None)
"""
    done = subprocess.run([*command(STARTERS[-1]), "-c", code], capture_output=True, text=True, env={}, timeout=300)
    assert done.returncode == 0, done.stderr
