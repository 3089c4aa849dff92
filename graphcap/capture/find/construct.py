"""The option `construct`: the model is what an expression over the file's names gives, `Net(10, hidden=64)` or `f`."""

from __future__ import annotations

import dataclasses
import types
from typing import Any

from graphcap.capture.failures import exception_text
from graphcap.capture.find.modules import uncompiled

MAX_SHOWN = 200  # characters of the expression in messages


class ConstructError(ValueError):
    """The expression gives no model; the message says why."""


@dataclasses.dataclass(frozen=True)
class Constructed:
    """What the expression gave, and how it is called in the rule."""

    model: Any
    expression: str
    rule: str


def constructed(module: types.ModuleType, text: str) -> Constructed:
    """Evaluates the expression where the file's own code was run. Raises ConstructError, or what the constructor raises."""
    expression = text.strip()
    shown = f"construct `{expression[:MAX_SHOWN]}`"
    try:
        code = compile(expression, "<construct>", "eval")
    except (SyntaxError, ValueError, RecursionError) as error:
        raise ConstructError(f"{shown} is no Python expression: {exception_text(error)}") from None
    try:
        model = uncompiled(eval(code, vars(module)))
    except NameError as error:
        raise ConstructError(f"{shown}: {error}") from None
    except TypeError as error:
        if error.__traceback__ and error.__traceback__.tb_next and error.__traceback__.tb_next.tb_next:
            raise  # from inside the constructor: its own line is told
        raise ConstructError(f"{shown}: {error}") from None
    if isinstance(model, type) or not callable(model):
        kind = f"the class {model.__name__} itself" if isinstance(model, type) else f"a {type(model).__name__}"
        raise ConstructError(f"{shown} gives {kind}, which is no model to call")
    return Constructed(model, expression, f"`{expression[:MAX_SHOWN]}`, as given")
