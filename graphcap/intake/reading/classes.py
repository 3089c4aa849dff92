"""The model classes of a file with their signatures, as they are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from graphcap.intake.reading.expression import dotted

MAX_CLASSES = 200
MAX_BASES = 50  # of one class
MAX_TEXT = 200  # characters of a default or an annotation
TORCH = ("torch.nn.", "nn.")


class Parameter(msgspec.Struct, frozen=True):
    """One parameter: annotation and default as they are written, "" where there is none."""

    name: str
    kind: str  # positional (by place only) | usual | keyword | rest (*args) | words (**kwargs)
    annotation: str
    default: str
    required: bool


class ModelClass(msgspec.Struct, frozen=True):
    """A class on top of nn.Module; without a constructor of its own, its parameters are those of the class it is made of."""

    name: str
    line: int
    constructor: tuple[Parameter, ...]
    forward: tuple[Parameter, ...]

    @property
    def free(self) -> bool:
        """Made without arguments."""
        return not any(parameter.required for parameter in self.constructor)


def model_nodes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """The model classes at module level by name, in their order."""
    classes = [node for node in module_level(tree.body) if isinstance(node, ast.ClassDef)][:MAX_CLASSES]
    found: dict[str, ast.ClassDef] = {}
    for _ in range(len(classes)):  # as deep as they can stand on each other
        more = {each.name: each for each in classes if each.name not in found and _is_model(each, found)}
        if not more:
            break
        found |= more
    return {each.name: found[each.name] for each in classes if each.name in found}


def module_level(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that are run when the file is, those under `if` and `try` too."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from module_level(node.body)


def _is_model(node: ast.ClassDef, known: Mapping[str, object]) -> bool:
    named = (base in known or base.split(".")[-1].endswith("Module") or base.startswith(TORCH) for base in _bases(node))
    return any(named)


def _bases(node: ast.ClassDef) -> list[str]:
    return list(dict.fromkeys(map(dotted, node.bases[:MAX_BASES])))


def read_class(node: ast.ClassDef, known: Mapping[str, ast.ClassDef]) -> ModelClass:
    """What a caller gives the class and its instances. `known`: the classes it may stand on."""
    made, called = method(node, "__init__", known), method(node, "forward", known)
    return ModelClass(node.name, node.lineno, parameters(made), parameters(called))


def method(node: ast.ClassDef, name: str, known: Mapping[str, ast.ClassDef]) -> ast.FunctionDef | None:
    """The method of a class or of what it stands on, where that is in the file; each class is looked into once."""
    stack, seen = [node], set[str]()
    while stack:
        each = stack.pop()
        if each.name in seen:
            continue
        seen.add(each.name)
        for item in each.body:
            if isinstance(item, ast.FunctionDef) and item.name == name:
                return item
        stack += [known[base] for base in reversed(_bases(each)) if base in known]
    return None


def parameter_names(function: ast.FunctionDef | None) -> list[str]:
    """Those of `parameters`, without the texts."""
    if function is None:
        return []
    given = function.args
    others = [given.vararg, *given.kwonlyargs, given.kwarg]
    return [each.arg for each in [*[*given.posonlyargs, *given.args][1:], *others] if each]


def parameters(function: ast.FunctionDef | None, *, own: int = 1) -> tuple[Parameter, ...]:
    """Those that a caller gives. `own`: how many come before them, `self` of a method."""
    if function is None:
        return ()
    given = function.args
    places = [(each, "positional") for each in given.posonlyargs] + [(each, "usual") for each in given.args]
    defaults: list[ast.expr | None] = [None] * (len(places) - len(given.defaults)) + list(given.defaults)
    found = [_parameter(each, kind, default) for (each, kind), default in zip(places, defaults, strict=True)][own:]
    found += [_parameter(given.vararg, "rest", None)] if given.vararg else []
    found += [_parameter(each, "keyword", value) for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    found += [_parameter(given.kwarg, "words", None)] if given.kwarg else []
    return tuple(found)


def _parameter(node: ast.arg, kind: str, default: ast.expr | None) -> Parameter:
    required = default is None and kind not in ("rest", "words")
    return Parameter(node.arg, kind, text_of(node.annotation), text_of(default), required)


def text_of(node: ast.expr | None) -> str:
    """The expression as Python would write it, cut where it is long."""
    if node is None:
        return ""
    try:
        return ast.unparse(node)[:MAX_TEXT]
    except (RecursionError, ValueError):
        return "…"


def is_record(node: ast.ClassDef) -> bool:
    """A dataclass or a NamedTuple."""
    marks = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    return bool({dotted(each).split(".")[-1] for each in [*marks, *node.bases]} & {"dataclass", "NamedTuple"})


def needs_nothing(node: ast.ClassDef) -> bool:
    """Whether the class of a config is made without arguments, as far as its own code tells."""
    if is_record(node):
        return not record_fields(node)
    made = method(node, "__init__", {})
    return made is not None and not any(each.required for each in parameters(made))


def record_fields(node: ast.ClassDef) -> dict[str, str]:
    """The annotations of the fields that a dataclass or a NamedTuple is made with; those with a value of their own are left
    out. Empty of any other class.
    """
    if not is_record(node):
        return {}
    lines = (each for each in node.body if isinstance(each, ast.AnnAssign) and each.value is None)
    return {each.target.id: text_of(each.annotation) for each in lines if isinstance(each.target, ast.Name)}


def outermost(models: Mapping[str, ast.ClassDef]) -> list[str]:
    """Those that no other class makes or stands on; all where each is a part of another."""
    parts: set[str] = set()
    for name, node in models.items():
        used = set(_bases(node))
        used |= {dotted(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)}
        parts |= used - {name}
    return [name for name in models if name not in parts] or list(models)
