"""Which rule would find what to capture, told from the code alone. Only running it tells for certain."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Mapping

from graphcap.intake.reading.attributes import Names
from graphcap.intake.reading.classes import TORCH, ModelClass, needs_nothing, outermost, read_class
from graphcap.intake.reading.expression import Construction, construction, dotted
from graphcap.intake.reading.functions import outer_functions

WATCHED = (
    "torch.export.export",
    "torch.compile",
    "draft_export",
    "aot_function",
    "aot_module",
    "make_fx",
    "symbolic_trace",
)
"""What a script may call itself, by the end of its full name."""

PREFERRED = ("model", "net", "network", "module", "m")
MAX_NAMED = 4


@dataclasses.dataclass(frozen=True)
class Rule:
    """`id` names the rule, "" where none applies yet; `made`: the model it captures, where the code tells it."""

    id: str
    text: str
    made: Construction | None = None
    ready: bool = False  # whether the inputs are there, too


def told_rule(tree: ast.Module, construct: Construction | None, names: Names) -> Rule:
    """The first that applies, in the order of a capture."""
    assigned = dict(_assigned(tree))
    if construct is not None:
        made = construct if construct.called else _made(assigned.get(construct.name)) or construct
        how = "made as given" if construct.called else "as given"
        return Rule("construct", f"{construct.name}, {how}", made=made, ready="example_args" in assigned)
    if "model" in assigned and "example_args" in assigned:
        return Rule("named", "`model` and `example_args` in the file", ready=True)
    if calls := list(_calls(tree)) or list(_called_modules(tree, names)):
        more = f" and {len(calls) - MAX_NAMED} more" if len(calls) > MAX_NAMED else ""
        told = ", ".join(f"{name} in line {line}" for name, line in calls[:MAX_NAMED])
        return Rule("calls", f"the script's own calls: {told}{more}", ready=True)
    return _variable(tree, names) or (_class(names) if names.models else _function(names.functions))


def _variable(tree: ast.Module, names: Names) -> Rule | None:
    found = {name: made for name, value in _assigned(tree) if (made := _made(value)) and _is_model(made, names)}
    preferred = [name for name in PREFERRED if name in found]
    if not found or (len(found) > 1 and not preferred):
        return None
    name = (preferred or list(found))[0]
    return Rule("variable", f"the nn.Module in the variable `{name}`", found[name])


def _class(names: Names) -> Rule:
    models, outer = names.models, outermost(names.models)
    configs = {name for name, node in names.classes.items() if name not in models and needs_nothing(node)}
    free = {name: usual for name in outer if (usual := _usual(read_class(models[name], models), configs)) is not None}
    if len(free) == 1:
        ((name, usual),) = free.items()
        how = f"with {', '.join(f'{each}={kind}()' for each, kind in usual.items())}" if usual else "without arguments"
        words = tuple((each, ast.Call(ast.Name(kind, ast.Load()), [], [])) for each, kind in usual.items())
        return Rule("class", f"the class {name}, made {how}", Construction(name, words))
    if not free:
        return Rule("", f"{', '.join(outer[:MAX_NAMED])}: constructor arguments are needed")
    return Rule("", f"several classes could be meant: {', '.join(list(free)[:MAX_NAMED])}")


def _function(functions: Mapping[str, ast.FunctionDef]) -> Rule:
    outer = outer_functions(functions)
    if len(outer) == 1:
        (name,) = outer
        return Rule("function", f"the function {name}", Construction(name, called=False))
    if outer:
        return Rule("", f"several functions could be meant: {', '.join(outer[:MAX_NAMED])}")
    return Rule("", "nothing in the code can be captured: no class on top of nn.Module, no function that takes anything")


def _usual(model: ModelClass, configs: set[str]) -> dict[str, str] | None:
    """The config that each needed argument is annotated with, made without arguments; None where there is another one."""
    found = {each.name: each.annotation.strip("'") for each in model.constructor if each.required}
    return found if configs.issuperset(found.values()) else None


def _made(value: ast.expr | None) -> Construction | None:
    """`Net(3)`, also in `Net(3).eval()`."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and isinstance(value.func.value, ast.Call):
        value = value.func.value
    return construction(value) if isinstance(value, ast.Call) else None


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                yield target.id, value


def _calls(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names in full, whether called or put above a function that is named again, as by a call; each line once."""
    full = _imported(tree)
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    waiting = {id(node) for node in tree.body if isinstance(node, ast.FunctionDef) and node.name not in named}
    seen: set[int] = set()
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.FunctionDef)]
    for node in sorted(nodes, key=lambda node: node.lineno):
        for each in [node.func] if isinstance(node, ast.Call) else [] if id(node) in waiting else node.decorator_list:
            first, _, rest = dotted(each).partition(".")
            name = ".".join(part for part in (full.get(first, first), rest) if part)
            if any(name == known or name.endswith(f".{known}") for known in WATCHED) and each.lineno not in seen:
                seen.add(each.lineno)
                yield name, each.lineno


def _called_modules(tree: ast.Module, names: Names) -> Iterator[tuple[str, int]]:
    """Models that are called as the script runs, each variable once, with the line; no losses."""
    running = sorted(_running(tree), key=lambda node: (node.lineno, node.col_offset))
    held = {
        target.id
        for node in running
        if isinstance(node, ast.Assign) and _is_target(_made(node.value), names)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in (node for node in running if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in held:
            held.discard(call.func.id)
            yield call.func.id, call.lineno
        elif isinstance(call.func, ast.Call) and _is_target(made := construction(call.func), names):
            yield f"{made.name}(...)", call.lineno


def _is_target(made: Construction | None, names: Names) -> bool:
    return made is not None and _is_model(made, names) and not made.name.endswith("Loss")


def _running(tree: ast.Module) -> Iterator[ast.stmt | ast.expr]:
    """What runs as the file does: its own statements, and those of the functions that these call by their names."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    left: list[ast.AST] = [*tree.body]
    while left:
        node = left.pop()
        if isinstance(node, ast.stmt | ast.expr):
            yield node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
            left += functions.pop(node.func.id).body
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            left += ast.iter_child_nodes(node)


def _is_model(made: Construction, names: Names) -> bool:
    return made.name in names.models or made.name.startswith(TORCH)


def _imported(tree: ast.Module) -> dict[str, str]:
    """Name in the file -> its full name."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found
