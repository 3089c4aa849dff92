"""The one function of a file that has no nn.Module: the outermost of those that take something."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator

from graphcap.capture.find.modules import LINES, MAX_NAMED, Made, NoModule, uncompiled
from graphcap.capture.find.signature import lines_to_add, required


def function_in(module: types.ModuleType) -> Made:
    """Raises NoModule where there is none, or not just one."""
    none = f"there is nothing to capture in {module.__name__}.py: it defines no nn.Module"
    own = _own(module)
    taking = {name: function for name, function in own.items() if required(function)}
    if not taking:
        told = f", and no function that takes anything: {', '.join(list(own)[:MAX_NAMED])}" if own else " and no function"
        raise NoModule(f"{none}{told}", LINES)
    used = {each for name, function in taking.items() for each in _names_in(function) if each != name}
    outer = [name for name in taking if name not in used] or list(taking)
    if len(outer) > 1:
        last = outer[-1]
        told = f"{none}, and several functions could be meant ({', '.join(outer[:MAX_NAMED])}); which one?"
        raise NoModule(told, lines_to_add(own[last], last), last)
    return Made(own[outer[0]], outer[0], f"the function `{outer[0]}`")


def _own(module: types.ModuleType) -> dict[str, types.FunctionType]:
    """Name -> function that the file defines, each under its first name, and without the torch.compile around it."""
    found: dict[int, tuple[str, types.FunctionType]] = {}
    for name, value in vars(module).items():
        function = uncompiled(value)
        if isinstance(function, types.FunctionType) and function.__module__ == module.__name__ and not _waits(function):
            found.setdefault(id(function), (name, function))
    return dict(found.values())


def _waits(function: types.FunctionType) -> bool:
    """Gives a coroutine or a generator, not what it computes."""
    return inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function)


def _names_in(function: types.FunctionType) -> Iterator[str]:
    """Names that it looks up, in the functions inside it too, and what made it: a decorator is no model."""
    wrapped = getattr(function, "__wrapped__", None)
    stack = [each.__code__ for each in (function, wrapped) if isinstance(each, types.FunctionType)]
    while stack:
        code = stack.pop()
        yield from code.co_names
        yield code.co_qualname.split(".<locals>")[0]
        stack += [inner for inner in code.co_consts if isinstance(inner, types.CodeType)]
