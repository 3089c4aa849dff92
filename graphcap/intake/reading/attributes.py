"""What a constructor keeps in `self`: layers as the calls that make them, and plain values."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping
from typing import Any

from graphcap.intake.budget import Budget
from graphcap.intake.reading.expression import Construction, dotted
from graphcap.intake.reading.functions import function_nodes
from graphcap.intake.reading.values import Fields, bound, matched, value_of

MAX_STEPS = 500_000  # nodes of code that one look goes through, each as often as it is met


@dataclasses.dataclass(frozen=True)
class Names:
    """The names of a file: model classes, all classes and functions by their nodes, and values of constants.

    `steps`: what is left for following an input into modules, where the ways in may double with every one, and for reading
    what classes keep.
    """

    models: Mapping[str, ast.ClassDef]
    classes: Mapping[str, ast.ClassDef]
    constants: dict[str, Any]
    functions: Mapping[str, ast.FunctionDef] = dataclasses.field(default_factory=dict)
    steps: Budget = dataclasses.field(default_factory=lambda: Budget(MAX_STEPS))


@dataclasses.dataclass(frozen=True)
class Attributes:
    """`layers`: attribute -> the call that makes it; `known`: values of names in the constructor, `self` among them."""

    layers: Mapping[str, ast.Call]
    known: Mapping[str, Any]


def names_of(
    tree: ast.Module, models: Mapping[str, ast.ClassDef], others: Mapping[str, ast.ClassDef] | None = None
) -> Names:
    """Of a file. `others`: classes that it imports."""
    classes = {**(others or {}), **{node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}}
    found = Names(models, classes, {}, function_nodes(tree))
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found.constants.update(_named(target, _value(node.value, found.constants, classes, found.steps)))
    return found


def attributes(
    constructor: ast.FunctionDef | None, made: Construction | None, names: Names, outer: Mapping[str, Any] | None = None
) -> Attributes:
    """Reads a constructor called with the arguments of `made` (None: without any), which are read where `outer` is known."""
    where = dict(outer or names.constants)
    args = [value for name, value in made.arguments if not name] if made else []
    words = {name: value for name, value in made.arguments if name and name != "**"} if made else {}
    known = dict(names.constants) | bound(constructor, args, words, where)
    calls = {name: node for name, node in matched(constructor, args, words).items() if isinstance(node, ast.Call)}
    values = {name: _value(node, where, names.classes, names.steps) for name, node in calls.items()}
    known |= {name: fields for name, fields in values.items() if fields is not None}
    own = known["self"] = Fields()
    layers: dict[str, ast.Call] = {}
    for node in _assignments(constructor, names.steps):
        value = node.value
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and dotted(target) == f"self.{target.attr}":
                if isinstance(value, ast.Call):
                    layers.setdefault(target.attr, value)
                own[target.attr] = _value(value, known, names.classes, names.steps)
            else:
                known |= _named(target, _value(value, known, names.classes, names.steps))
    return Attributes(layers, known)


def _named(target: ast.expr, value: Any) -> dict[str, Any]:
    """What an assignment gives the names in it, also `a, b = 1, 2`."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    parts = value if isinstance(value, list) else []
    names = target.elts if isinstance(target, ast.Tuple) and len(target.elts) == len(parts) else []
    return {each.id: part for each, part in zip(names, parts, strict=True) if isinstance(each, ast.Name)} if names else {}


def _assignments(function: ast.FunctionDef | None, steps: Budget) -> list[ast.Assign | ast.AnnAssign]:
    if function is None:
        return []
    nodes = steps.counted(ast.walk(function))
    found = [node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign) and node.value]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _value(node: ast.expr | None, known: Mapping[str, Any], classes: Mapping[str, ast.ClassDef], steps: Budget) -> Any:
    """As `value_of`, and a call of a class of the file as its fields: those annotated, as of a dataclass, or those that its
    constructor keeps in `self`. None, too, once all steps are used.
    """
    if not isinstance(node, ast.Call) or dotted(node.func) not in classes:
        return value_of(node, known)
    cls = classes[dotted(node.func)]
    if not steps.take(len(cls.body)):
        return None
    if made := next((item for item in cls.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"), None):
        words = {word.arg: word.value for word in node.keywords if word.arg}
        if not steps.take(len(made.args.args) + len(made.args.kwonlyargs)):
            return None
        return _kept(made, bound(made, node.args, words, known), steps) or None
    fields = Fields()
    for line in cls.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            fields[line.target.id] = value_of(line.value, known)
    order = list(fields)
    fields |= {field: value_of(value, known) for field, value in zip(order, node.args, strict=False)}
    fields |= {word.arg: value_of(word.value, known) for word in node.keywords if word.arg}
    return fields if order else None


def _kept(constructor: ast.FunctionDef, known: Mapping[str, Any], steps: Budget) -> Fields:
    """What it assigns to attributes of `self` at its top level."""
    kept = Fields()
    for node in steps.counted(constructor.body):
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if (
                isinstance(node, ast.Assign)
                and isinstance(target, ast.Attribute)
                and dotted(target) == f"self.{target.attr}"
            ):
                kept[target.attr] = value_of(node.value, known)
    return kept
