"""Classic BPF as seccomp(2) runs it: one instruction is 8 bytes, jumps go forward only. Pure."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

Instruction = bytes
Program = tuple[Instruction, ...]

ALLOW = 0x7FFF0000
KILL_PROCESS = 0x80000000
TRAP = 0x00030000
ERRNO = 0x00050000  # | errno

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06

NUMBER, ARCH = 0, 4  # offsets in struct seccomp_data


def low(argument: int) -> int:
    """Offset of the lower half of an argument (little endian; so are all machines the jail knows)."""
    return 16 + 8 * argument


def high(argument: int) -> int:
    """Offset of its upper half."""
    return 20 + 8 * argument


def load(offset: int) -> Instruction:
    """The four bytes of seccomp_data at `offset` into the accumulator."""
    return _instruction(_LOAD, offset)


def keep_bits(mask: int) -> Instruction:
    """Accumulator &= mask."""
    return _instruction(_AND, mask)


def give(action: int) -> Instruction:
    """Ends the program."""
    return _instruction(_RETURN, action)


def if_equal(value: int, then: Sequence[Instruction]) -> Program:
    """`then` (at most 255 instructions) if the accumulator is `value`; it goes on after it."""
    return (_instruction(_JUMP_EQUAL, value, no=len(then)), *then)


def unless_equal(value: int, then: Sequence[Instruction]) -> Program:
    """`then` if the accumulator is anything but `value`."""
    return (_instruction(_JUMP_EQUAL, value, yes=len(then)), *then)


def if_at_least(value: int, then: Sequence[Instruction]) -> Program:
    """`then` if the accumulator is `value` or more, unsigned."""
    return (_instruction(_JUMP_AT_LEAST, value, no=len(then)), *then)


def joined(parts: Iterable[Sequence[Instruction]]) -> Program:
    """One after the other."""
    return tuple(instruction for part in parts for instruction in part)


def _instruction(code: int, value: int, *, yes: int = 0, no: int = 0) -> Instruction:
    return struct.pack("=HBBI", code, yes, no, value & 0xFFFFFFFF)
