"""The functions of a file with their signatures, and which of them would be captured where there is no model class."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import msgspec

from graphcap.intake.reading.classes import Parameter, module_level, parameters

MAX_FUNCTIONS = 200


class Function(msgspec.Struct, frozen=True):
    """A function at module level that takes something."""

    name: str
    line: int
    parameters: tuple[Parameter, ...]

    @property
    def needs(self) -> bool:
        """Whether it can only be called with something."""
        return any(each.required for each in self.parameters)


def function_nodes(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Those at module level by name, in their order; no generators, as they compute nothing when they are called."""
    found = [node for node in module_level(tree.body) if isinstance(node, ast.FunctionDef)][:MAX_FUNCTIONS]
    return {node.name: node for node in found if not _yields(node)}


def _yields(function: ast.FunctionDef) -> bool:
    stack: list[ast.AST] = list(function.body)
    while stack:
        each = stack.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            stack += ast.iter_child_nodes(each)
    return False


def read_function(node: ast.FunctionDef) -> Function:
    """What a caller gives it."""
    return Function(node.name, node.lineno, parameters(node, own=0))


def outer_functions(nodes: Mapping[str, ast.FunctionDef]) -> list[str]:
    """Those that need something and that no other of these names, nor a decorator; all where each is named."""
    needing = [name for name, node in nodes.items() if read_function(node).needs]
    used = {name for node in nodes.values() for each in node.decorator_list for name in _names(each)}
    for name in needing:
        used |= {each for statement in nodes[name].body for each in _names(statement)} - {name}
    return [name for name in needing if name not in used] or needing


def _names(node: ast.AST) -> Iterator[str]:
    return (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
