"""The symbols of one trace: where each stands, its range, and the line at which the code fixed it to a value.

torch says the last in a log, if at all, and forgets it in non-strict export; so its ShapeEnv is watched while it works.
"""

from __future__ import annotations

import contextlib
import dataclasses
import linecache
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec.structs
import sympy  # type: ignore[import-untyped]
import torch
from torch._guards import TracingContext
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from graphcap.capture.fx.frames import OURS, make_frame
from graphcap.capture.fx.values import safe_text
from graphcap.graph.document import Constraint, Failure, Frame, Symbol

MAX_SYMBOLS = 64
MAX_CONSTRAINTS = 64
MAX_TEXT = 400  # characters of an expression
_ONLY_TRACED = "eval [guard suppressed]"


@dataclasses.dataclass
class Shapes:
    """What is seen while a trace runs, in order; `symbols` and `constraints` read it once it has ended."""

    users: Mapping[str, str]
    envs: dict[int, ShapeEnv] = dataclasses.field(default_factory=dict)
    examples: dict[tuple[int, str], str] = dataclasses.field(default_factory=dict)
    fixed: dict[tuple[int, str], tuple[str, str, Frame | None]] = dataclasses.field(default_factory=dict)
    asked: dict[str, Frame | None] = dataclasses.field(default_factory=dict)

    def symbols(self) -> tuple[Symbol, ...]:
        """Each name once, though a fragment that is traced again has it again."""
        found: dict[str, Symbol] = {}
        for number, env in self.envs.items():
            for symbol in env.var_to_range:
                name = safe_text(symbol)
                if (number, name) in self.examples and (name not in found or not found[name].value):
                    found[name] = self._symbol(number, env, symbol)
        return tuple(found.values())[:MAX_SYMBOLS]

    def constraints(self) -> tuple[Constraint, ...]:
        """The conditions that hold for the example inputs and must hold for others."""
        return tuple(Constraint(text, frame) for text, frame in self.asked.items())[:MAX_CONSTRAINTS]

    def _symbol(self, number: int, env: ShapeEnv, symbol: sympy.Symbol) -> Symbol:
        name = safe_text(symbol)
        sources = [safe_text(source.name) for source in env.var_to_sources.get(symbol, ())]
        names = getattr(env, "source_name_to_debug_name", {})
        bounds = env.var_to_range[symbol]
        value, reason, frame = self.fixed.get((number, name), ("", "", None))
        own = re.compile(rf"\b{re.escape(name)}\b")
        reason = next((text for text, line in self.asked.items() if frame and line == frame and own.search(text)), reason)
        return Symbol(
            name,
            tuple(sources[:8]),
            safe_text(bounds.lower),
            safe_text(bounds.upper),
            self.examples[number, name],
            next((str(names[source]) for source in sources if source in names), ""),
            value,
            reason,
            frame,
        )

    def _line(self) -> Frame | None:
        """The person's line that is being traced: Dynamo's own stack, or Python's where the code itself runs."""
        stack = TracingContext.extract_stack() if TracingContext.try_get() is not None else ()
        for each in reversed(list(stack)):
            if each.filename in self.users:
                return make_frame(each.filename, each.lineno or 1, each.name, (each.line or "").strip(), self.users)
        frame: Any = sys._getframe(1)
        while frame is not None:
            code = frame.f_code
            if code.co_filename in self.users and not code.co_filename.startswith(OURS):
                text = linecache.getline(code.co_filename, frame.f_lineno).strip()
                return make_frame(code.co_filename, frame.f_lineno, code.co_name, text, self.users)
            frame = frame.f_back
        return None


@contextlib.contextmanager
def watching_shapes(users: Mapping[str, str]) -> Iterator[Shapes]:
    """While it is open, every ShapeEnv of the process is watched. What it does is not changed."""
    seen = Shapes(users)
    create, replace, log = ShapeEnv.create_symbol, ShapeEnv._set_replacement, ShapeEnv._log_guard

    def create_symbol(self: ShapeEnv, val: Any, *args: Any, **kwargs: Any) -> Any:
        made = create(self, val, *args, **kwargs)
        if isinstance(made, sympy.Symbol):
            seen.envs[id(self)] = self
            seen.examples.setdefault((id(self), safe_text(made)), safe_text(val))
        return made

    def set_replacement(self: ShapeEnv, a: sympy.Symbol, tgt: sympy.Expr, msg: str) -> None:
        before = self.replacements.get(a)
        replace(self, a, tgt, msg)
        after = self.replacements.get(a)
        if after is not None and after != before:
            first = seen.fixed.get((id(self), safe_text(a)))
            line = seen._line() or (first[2] if first else None)
            seen.fixed[id(self), safe_text(a)] = (safe_text(after)[:MAX_TEXT], safe_text(msg)[:MAX_TEXT], line)

    def log_guard(self: ShapeEnv, prefix: str, g: Any, forcing_spec: bool) -> None:
        log(self, prefix, g, forcing_spec)
        if prefix != _ONLY_TRACED and len(seen.asked) < MAX_CONSTRAINTS:
            seen.asked.setdefault(safe_text(g)[:MAX_TEXT], seen._line())

    patched: Any = ShapeEnv
    patched.create_symbol, patched._set_replacement, patched._log_guard = create_symbol, set_replacement, log_guard
    try:
        yield seen
    finally:
        patched.create_symbol, patched._set_replacement, patched._log_guard = create, replace, log


def shapes_of_program(program: torch.export.ExportedProgram) -> tuple[tuple[Symbol, ...], tuple[Constraint, ...]]:
    """Of a program that was exported elsewhere: what its placeholders and range constraints say, and the guards it keeps.

    The names a person gave the dimensions, and the lines that asked, are not in a program.
    """
    sources: dict[str, list[str]] = {}
    examples: dict[str, str] = {}
    for node in program.graph.nodes:
        value = node.meta.get("val") if node.op == "placeholder" else None
        sizes = value.shape if isinstance(value, torch.Tensor) else ()
        for axis, size in enumerate(sizes):
            if isinstance(size, torch.SymInt):
                sources.setdefault(safe_text(size), []).append(f"L['{node.name}'].size()[{axis}]")
                examples.setdefault(safe_text(size), safe_text(size.node.hint if size.node.has_hint() else ""))
        if isinstance(value, torch.SymInt):
            sources.setdefault(safe_text(value), []).append(f"L['{node.name}']")
            examples.setdefault(safe_text(value), safe_text(value.node.hint if value.node.has_hint() else ""))
    symbols = [
        Symbol(name, tuple(sources.get(name, ())[:8]), safe_text(lower), safe_text(upper), examples.get(name, ""))
        for name, lower, upper in ((safe_text(s), b.lower, b.upper) for s, b in program.range_constraints.items())
    ]
    guards = getattr(program, "_guards_code", ())  # torch keeps them as code from 2.9 on
    return tuple(symbols[:MAX_SYMBOLS]), tuple(Constraint(safe_text(g)[:MAX_TEXT]) for g in guards[:MAX_CONSTRAINTS])


def blamed(failure: Failure, symbols: Sequence[Symbol]) -> Failure:
    """A failure about dimensions that must not be constants, with the lines that made them so."""
    if "specialized it to be a constant" not in failure.message:
        return failure
    guilty = [each for each in symbols if each.value.isdigit() and _is_named(each, failure.message)]
    hints = tuple(_words(each) for each in guilty)
    frame = next((each.frame for each in guilty if each.frame is not None), failure.frame)
    return msgspec.structs.replace(failure, frame=frame, hints=(*hints, *failure.hints))


def _is_named(symbol: Symbol, message: str) -> bool:
    return any(name and f"marked {name} as dynamic" in message for name in (symbol.dim, *symbol.sources))


def _words(symbol: Symbol) -> str:
    name = symbol.dim or (symbol.sources[0] if symbol.sources else symbol.name)
    line = f": line {symbol.frame.line} of {symbol.frame.file}, {symbol.frame.code}" if symbol.frame else ""
    return f"Your code specialised {name} to {symbol.value}{line}"
