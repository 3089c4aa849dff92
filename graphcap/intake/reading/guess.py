"""Inputs guessed from the first layers they meet. A guess says where it comes from; nothing is run."""

from __future__ import annotations

import ast
import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from graphcap.graph.inputs import NOTHING_TOLD
from graphcap.intake.budget import Budget
from graphcap.intake.reading.attributes import Attributes, Names, attributes
from graphcap.intake.reading.classes import method, parameter_names, parameters, record_fields
from graphcap.intake.reading.expression import Construction, construction, dotted
from graphcap.intake.reading.layers import BY_ANNOTATION, LAYERS, Told, is_sequential
from graphcap.intake.reading.values import value_of

DEPTH = 6  # modules in each other that an input is followed into
FIELD = 100  # steps that a line of a record counts for: a field is looked for in all of `forward`
ENTERING = 2_000  # steps that it counts for, as its methods are looked up and its arguments are bound
ABOUT = ("shape", "size", "device", "dtype", "ndim", "dim")
LOSSES = ("cross_entropy", "nll_loss")


class Guess(msgspec.Struct, frozen=True):
    """One input as the *inputs* field writes it, without its name; `why` in words; `told` False where no layer says it."""

    name: str
    text: str
    why: str
    told: bool


@dataclasses.dataclass(frozen=True)
class _Found:
    text: str
    call: ast.Call


@dataclasses.dataclass(frozen=True)
class _Same:
    """The names that hold the input, or what was made of it."""

    names: set[str]
    steps: Budget

    def mentioned(self, node: ast.AST) -> bool:
        """Whether a value of these names goes into the expression, and not only its shape or its device."""
        return any(_spelled(each) in self.names for each in self.steps.counted(_going_in(node)))

    def add(self, targets: Sequence[ast.expr]) -> None:
        """What is assigned to."""
        self.names.update(each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))


def guess_inputs(cls: ast.ClassDef, made: Construction | None, names: Names) -> tuple[Guess, ...]:
    """For every input that the class's `forward` needs, when it is made as `made` says.

    Where each may be left out (`input_ids=None, attention_mask=None`), as models often write that need the first: for the
    first that a layer takes.
    """
    forward = method(cls, "forward", names.models)
    own = attributes(method(cls, "__init__", names.models), made, names)
    taken = parameters(forward)
    needed = tuple(_guess(each.name, each.annotation, forward, own, names) for each in taken if each.required)
    optional = (_guess(each.name, "", forward, own, names) for each in taken if each.default == "None")
    return needed or tuple(itertools.islice((each for each in optional if each.told), 1))


def guess_of_function(node: ast.FunctionDef, names: Names) -> tuple[Guess, ...]:
    """For every input that a function needs: by annotations, keys and losses, as it has no layers."""
    own, needed = Attributes({}, names.constants), (each for each in parameters(node, own=0) if each.required)
    return tuple(_guess(each.name, each.annotation, node, own, names) for each in needed)


def guess_of_layer(made: Construction, names: Names) -> tuple[Guess, ...]:
    """For the one input, by place, of a layer of torch's own, such as Sequential; empty where it tells nothing."""
    args = [value for name, value in made.arguments if not name]
    words = [ast.keyword(None if name == "**" else name, value) for name, value in made.arguments if name]
    call = ast.Call(ast.Name(made.name, ast.Load()), args, words)
    found = _tells(call, names.constants, 0, 0, names, DEPTH)
    if found is None:
        return ()
    layer = dotted(found.call.func).split(".")[-1]
    return (Guess("", found.text, f"{layer} takes it", told=True),)


def _guess(
    name: str, annotation: str, forward: ast.FunctionDef | None, own: Attributes, names: Names, depth: int = DEPTH
) -> Guess:
    if annotation in BY_ANNOTATION:
        return Guess(name, BY_ANNOTATION[annotation], f"it is annotated as {annotation}", told=True)
    if keys := _keys(forward, name, names.steps):
        return _of_parts(name, {key: _of_layer(spelled, forward, own, names) for key, spelled in keys.items()})
    cls = names.classes.get(annotation.strip("'"))
    if cls and depth and names.steps.take(FIELD * len(cls.body)) and (fields := record_fields(cls)):
        parts = {field: _guess(f"{name}.{field}", kind, forward, own, names, depth - 1) for field, kind in fields.items()}
        return _of_parts(name, parts)
    one = _of_layer(name, forward, own, names)
    return msgspec.structs.replace(one, text=_several(annotation, one.text))


def _of_parts(name: str, parts: Mapping[str, Guess]) -> Guess:
    """Of a dict, or of a record, which a dict of its fields makes."""
    text = ", ".join(f"{key!r}: {part.text}" for key, part in parts.items())
    why = "; ".join(f"{key!r}: {part.why}" for key, part in parts.items())
    return Guess(name, f"{{{text}}}", why, told=any(part.told for part in parts.values()))


def _of_layer(name: str, forward: ast.FunctionDef | None, own: Attributes, names: Names) -> Guess:
    found = _first(forward, name, own, names, DEPTH)
    if found is None:
        return Guess(name, NOTHING_TOLD, "nothing tells its shape", told=False)
    return Guess(
        name, found.text, f"{dotted(found.call.func).split('.')[-1]} in line {found.call.lineno} takes it", told=True
    )


def _several(annotation: str, tensor: str) -> str:
    """The text of a list or tuple of tensors, where the annotation says one; else of a tensor."""
    outer = annotation.split("[")[0].split(".")[-1].lower()
    if "Tensor" not in annotation or outer not in ("list", "sequence", "iterable", "tuple"):
        return tensor
    texts = [tensor] * (annotation.count("Tensor") if outer == "tuple" and "..." not in annotation else 2)
    if outer == "tuple":
        return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    return f"[{', '.join(texts)}]"


def _keys(function: ast.FunctionDef | None, name: str, steps: Budget) -> dict[str, str]:
    """What a `forward` takes out of a dict that it is given, in the order it stands there: key to its spelling."""
    found = [
        node
        for node in (steps.counted(ast.walk(function)) if function else ())
        if isinstance(node, ast.Subscript) and _spelled(node).startswith(f"{name}[")
    ]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    return {str(node.slice.value): _spelled(node) for node in found if isinstance(node.slice, ast.Constant)}


def _spelled(node: ast.AST) -> str:
    """A name, what lies in a dict under a fixed key, or an attribute of a name; "" for all else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant):
        return f"{node.value.id}[{node.slice.value!r}]" if isinstance(node.slice.value, str) else ""
    return ""


def _first(function: ast.FunctionDef | None, name: str, own: Attributes, names: Names, depth: int) -> _Found | None:
    """What the first layer tells that meets the parameter `name` of a `forward`."""
    if function is None or depth == 0:
        return None
    same, loops, rank = _Same({name}, names.steps), dict[str, ast.expr](), 0
    for node in names.steps.counted(_in_order(function.body)):
        if isinstance(node, ast.For):
            if isinstance(node.target, ast.Name):
                loops[node.target.id] = node.iter
            if same.mentioned(node.iter):
                same.add([node.target])
        elif isinstance(node, ast.Assign):
            rank = rank or _unpacked(node, same)
            if same.mentioned(node.value):
                same.add(node.targets)
        elif isinstance(node, ast.Call) and any(map(same.mentioned, [*node.args, *_words(node)])):
            layer = _layer(node.func, loops, own)
            if dotted(node.func).split(".")[-1] in LOSSES and len(node.args) > 1 and same.mentioned(node.args[1]):
                return _Found("i64[2]", node)
            place = next((i for i, arg in enumerate(node.args) if same.mentioned(arg)), 0)
            if layer and (found := _tells(layer, own.known, rank, place, names, depth)):
                return _of_one(found) if any(map(_adds_a_batch, node.args)) else found
    return None


def _adds_a_batch(node: ast.expr) -> bool:
    """`x[None]`, `x.unsqueeze(0)`: what a layer is given of one image."""
    if isinstance(node, ast.Call):
        return dotted(node.func).endswith(".unsqueeze") and ast.unparse(node.args[0]) == "0" if node.args else False
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value is None


def _of_one(found: _Found) -> _Found:
    """Without the first dimension."""
    head, _, tail = found.text.partition("[")
    _, comma, rest = tail.partition(", ")
    return dataclasses.replace(found, text=f"{head}[{rest}") if comma else found


def _words(call: ast.Call) -> list[ast.expr]:
    return [word.value for word in call.keywords]


def _in_order(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    """Statements and calls as they are run: what stands inside a call before the call, an assignment after its value."""
    stack: list[tuple[ast.AST, bool]] = [(node, False) for node in reversed(nodes)]
    while stack:
        node, seen = stack.pop()
        if seen or isinstance(node, ast.For):
            yield node
        if not seen and not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            stack += [] if isinstance(node, ast.For) else [(node, True)]
            stack += [(child, False) for child in reversed(list(ast.iter_child_nodes(node)))]


def _going_in(node: ast.AST) -> Iterator[ast.AST]:
    """What an expression is made of, but for what it only asks the shape or the device. Deep as a long sum: no recursion."""
    stack = [node]
    while stack:
        each = stack.pop()
        yield each
        if not (isinstance(each, ast.Attribute) and each.attr in ABOUT):
            stack += ast.iter_child_nodes(each)


def _unpacked(node: ast.Assign, same: _Same) -> int:
    """The rank of the input, where its shape is taken apart: `b, c, h, w = x.shape`."""
    target, value = node.targets[0], node.value
    value = value.func if isinstance(value, ast.Call) else value
    is_shape = isinstance(value, ast.Attribute) and value.attr in ("shape", "size") and same.mentioned(value.value)
    whole = isinstance(target, ast.Tuple) and not any(isinstance(item, ast.Starred) for item in target.elts)
    return len(target.elts) if is_shape and whole and isinstance(target, ast.Tuple) else 0


def _layer(node: ast.expr, loops: Mapping[str, ast.expr], own: Attributes) -> ast.Call | None:
    """The call that makes the layer called: `self.a(x)`, `self.a[0](x)`, `block(x)` in `for block in self.blocks`."""
    if isinstance(node, ast.Name):
        node = loops.get(node.id, node)
    while isinstance(node, ast.Subscript):
        node = node.value
    name = dotted(node)
    return own.layers.get(name.removeprefix("self.")) if name.startswith("self.") else None


def _tells(call: ast.Call, known: Mapping[str, Any], rank: int, place: int, names: Names, depth: int) -> _Found | None:
    if depth == 0 or not names.steps.take():
        return None
    name = dotted(call.func)
    if is_sequential(call, name.split(".")[-1]):
        inside = (_tells(each, known, rank, place, names, depth - 1) for each in _members(call))
        return next((found for found in inside if found), None)
    if name in names.models:
        return _inside(call, names.models[name], known, place, names, depth)
    layer = LAYERS.get(name.split(".")[-1])
    words = {word.arg: value_of(word.value, known) for word in call.keywords if word.arg}
    text = layer(Told([value_of(arg, known) for arg in call.args], words, rank)) if layer else ""
    return _Found(text, call) if text else None


def _members(call: ast.Call) -> list[ast.Call]:
    """The layers in a Sequential or a ModuleList, also in a list or in what a comprehension makes."""
    found: list[ast.Call] = []
    for arg in call.args:
        arg = arg.value if isinstance(arg, ast.Starred) else arg
        inner = (
            arg.elts
            if isinstance(arg, ast.List | ast.Tuple)
            else [arg.elt]
            if isinstance(arg, ast.ListComp | ast.GeneratorExp)
            else [arg]
        )
        found += [each for each in inner if isinstance(each, ast.Call)]
    return found


def _inside(
    call: ast.Call, cls: ast.ClassDef, known: Mapping[str, Any], place: int, names: Names, depth: int
) -> _Found | None:
    """What the first layer tells in a module of the file's own that the input is handed to."""
    forward = method(cls, "forward", names.models)
    taken = parameter_names(forward)
    if place >= len(taken) or not names.steps.take(ENTERING):
        return None
    own = attributes(method(cls, "__init__", names.models), construction(call), names, known)
    return _first(forward, taken[place], own, names, depth - 1)
