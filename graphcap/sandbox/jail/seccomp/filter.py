"""From rules to the BPF program that the kernel runs at every system call of the job. Pure."""

from __future__ import annotations

import errno

from graphcap.sandbox.jail import numbers
from graphcap.sandbox.jail.seccomp import bpf
from graphcap.sandbox.jail.seccomp.rules import Rules, clone

X32 = 0x40000000
"""Bit of the numbers of x86-64's second set of calls, which would pass by every rule."""

DENY = bpf.ERRNO | errno.EPERM
UNKNOWN = bpf.ERRNO | errno.ENOSYS


def program(rules: Rules, denied: int = DENY) -> bpf.Program:
    """Wrong machine or x32: kill. Allowed by a rule: go on. Younger than our tables: ENOSYS. All else: `denied`."""
    entries = []
    for name, body in rules.items():
        number = numbers.number(name)
        if number is not None:
            entries.append(bpf.if_equal(number, (*body, bpf.give(denied))))
    young = bpf.if_at_least(numbers.LAST + 1, [bpf.give(UNKNOWN)])
    return bpf.joined((_right_machine(), *entries, young, [bpf.give(denied)]))


def without_fork() -> bpf.Program:
    """Everything as before (the strictest of all filters wins), but threads only, and no further filter."""
    denied = [bpf.give(DENY)]
    refused = ("fork", "vfork", "seccomp")
    numbers_of = [number for name in refused if (number := numbers.number(name)) is not None]
    clone_number = numbers.number("clone")
    assert clone_number is not None
    return bpf.joined(
        (
            _right_machine(),
            *(bpf.if_equal(number, denied) for number in numbers_of),
            bpf.if_equal(clone_number, (*clone(allow_fork=False), *denied)),
            [bpf.give(bpf.ALLOW)],
        )
    )


def _right_machine() -> bpf.Program:
    kill = [bpf.give(bpf.KILL_PROCESS)]
    return bpf.joined(
        (
            [bpf.load(bpf.ARCH)],
            bpf.unless_equal(numbers.audit_arch(), kill),
            [bpf.load(bpf.NUMBER)],
            bpf.if_at_least(X32, kill),
        )
    )
