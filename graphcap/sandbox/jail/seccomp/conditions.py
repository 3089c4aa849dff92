"""What must hold of the arguments of a call that is allowed with some only: each gives a BPF body.

A body allows, or falls through and so denies. It need not keep the call's number, which is in the accumulator before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphcap.sandbox.jail.seccomp import bpf

ALLOW = (bpf.give(bpf.ALLOW),)


def always() -> bpf.Program:
    """No condition."""
    return ALLOW


def one_of(argument: int, values: Iterable[int]) -> bpf.Program:
    """The lower half of the argument (all of an int) is one of `values`."""
    return bpf.joined(([bpf.load(bpf.low(argument))], *(bpf.if_equal(value, ALLOW) for value in values)))


def masked(argument: int, mask: int, value: int) -> bpf.Program:
    """argument & mask == value, of its lower half."""
    return bpf.joined(([bpf.load(bpf.low(argument)), bpf.keep_bits(mask)], bpf.if_equal(value, ALLOW)))


def null(argument: int) -> bpf.Program:
    """The argument is a null pointer."""
    upper_too = bpf.joined(([bpf.load(bpf.high(argument))], bpf.if_equal(0, ALLOW)))
    return bpf.joined(([bpf.load(bpf.low(argument))], bpf.if_equal(0, upper_too)))


def both(argument: int, values: Iterable[int], then: bpf.Program) -> bpf.Program:
    """one_of, and then `then`, which must hold too."""
    return bpf.joined(([bpf.load(bpf.low(argument))], *(bpf.if_equal(value, then) for value in values)))
