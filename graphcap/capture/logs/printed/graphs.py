"""A printed graph as graphs of the document: the graph itself, then the bodies printed inside it."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence

from graphcap.capture.fx.frames import FrameTable
from graphcap.capture.logs.paths import Paths
from graphcap.capture.logs.printed.annotations import annotated
from graphcap.capture.logs.printed.arguments import argument
from graphcap.capture.logs.printed.forward import FILE, NO_FILE, Forward, Input, Returned, forward_of
from graphcap.capture.logs.printed.source import NoGraphError, Printed, read
from graphcap.capture.logs.printed.statements import Made, made
from graphcap.capture.logs.printed.targets import function_target, known
from graphcap.graph.document import Arg, Frame, Graph, Map, Meta, Node, OpSchema, Output, Placeholder, Ref, Seq
from graphcap.graph.edges import argument_refs

MAX_BODY_DEPTH = 16  # graphcap.graph.check's limit on a GID's length
MAX_NAME = 200


@dataclasses.dataclass(frozen=True)
class Named:
    """What the inputs and outputs of a graph stand for, as far as the log says it; asked in order."""

    placeholder: Callable[[Input, Meta | None], Placeholder]
    output: Callable[[Returned, int, int], Output]  # the how-manieth, of how many values


@dataclasses.dataclass(frozen=True)
class Head:
    """What is known of a graph beside its text."""

    gid: str
    title: str
    fragment: int
    variant: str = ""
    recompile: int = 0
    inference: bool = False
    code: str = ""


def graphs_of(text: str, head: Head, named: Named, paths: Paths) -> tuple[list[Graph], int]:
    """The graphs, and how many lines of the text could not be read. Raises NoGraphError."""
    text = text.strip("\n")
    printed = read(text)
    works = list(_works(printed, printed.tree, head.gid, "", _frames(printed.lines, paths)))
    works[0].nodes(named)
    for work in works[1:]:
        work.nodes(_PLAIN)
    own = works[0].graph(head, text)
    bodies = [work.graph(dataclasses.replace(head, gid=work.gid, title=work.title, code=""), "") for work in works[1:]]
    return [own, *bodies], len(printed.unreadable)


_PLAIN = Named(
    lambda given, _value: Placeholder("input", given.name, given.desc), lambda given, _i, _n: Output("user_output")
)


def _frames(lines: Sequence[str], paths: Paths) -> list[Frame | None]:
    """For each line of the text the frame that the comment above it gives."""
    found: list[Frame | None] = []
    now: Frame | None = None
    for line in lines:
        if "# File: " in line and (match := FILE.match(line)):
            now = paths.frame(match["file"], int(match["line"][:9]), match["function"] or "", match["code"])
        elif NO_FILE.match(line) or line.lstrip().startswith("class "):
            now = None
        found.append(now)
    return found


def _works(printed: Printed, tree: ast.ClassDef, gid: str, parent: str, frames: list[Frame | None]) -> Iterator[_Work]:
    """The graph of a class, then those of the classes inside it, each after the one that runs it."""
    children = {printed.classes.get(each.lineno, ""): each for each in tree.body if isinstance(each, ast.ClassDef)}
    names = {name: f"{gid}/{re.sub(r'[^A-Za-z0-9_.-]', '_', name)[:MAX_NAME]}" for name in children}
    if gid.count("/") >= MAX_BODY_DEPTH:
        names = {}
    yield _Work(printed, tree, gid, parent, names, frames)
    for name, below in names.items():
        yield from _works(printed, children[name], below, gid, frames)


class _Work:
    """One graph while it is read. `children`: printed name of a class inside -> GID of its graph."""

    def __init__(
        self,
        printed: Printed,
        tree: ast.ClassDef,
        gid: str,
        parent: str,
        children: dict[str, str],
        frames: list[Frame | None],
    ) -> None:
        self.printed, self.gid, self.parent, self.children = printed, gid, parent, children
        self.title = gid.rsplit("/", 1)[-1]
        self.forward: Forward = forward_of(tree, printed.lines)
        self.frames = frames
        self.table = FrameTable({})
        self.schemas: dict[OpSchema, int] = {}
        self.found: list[Node] = []
        self.names: dict[str, int] = {}
        self.lines: list[int] = []  # of each node
        self.runs: dict[int, str] = {}  # index of a get_attr -> GID of the body it reads

    def nodes(self, named: Named) -> None:
        """Reads inputs, calls and output."""
        for given in self.forward.inputs:
            value = annotated(given.annotation)
            held = named.placeholder(given, value)
            self._add(Node(given.name, "placeholder", given.target, value=value, placeholder=held), given.line)
        for each in made(self.forward.body, self.names, self.printed.unreadable):
            self._made(each)
        self._output(named)

    def _made(self, each: Made) -> None:
        if each.call is None:
            if each.alias_of in self.names:
                self.names[each.name] = self.names[each.alias_of]
            return
        call, stack = each.call, self._stack(each.line)
        value = annotated(each.annotation)
        if call.op == "get_attr":
            if call.target in self.children:
                self.runs[len(self.found)] = self.children[call.target]
            held = None if call.target in self.children else Placeholder("constant", call.target)
            self._add(Node(each.name, "get_attr", call.target, value=value, stack=stack, placeholder=held), each.line)
            return
        target = function_target(call.target) if call.op == "call_function" else call.target
        tags: tuple[str, ...] = ()
        schema = -1
        if call.op != "call_module":
            operator = known(call.op, call.target)
            tags = operator.tags
            if operator.schema is not None:
                schema = self.schemas.setdefault(operator.schema, len(self.schemas))
        given = (*call.args, *(value for _, value in call.kwargs))
        node = Node(
            name=each.name,
            op=call.op,
            target=target,
            args=call.args,
            kwargs=call.kwargs,
            value=value,
            stack=stack,
            bodies=tuple(dict.fromkeys(self.runs[i] for arg in given for i, _ in argument_refs(arg, "") if i in self.runs)),
            tags=tags,
            schema=schema,
        )
        self._add(node, each.line)

    def _output(self, named: Named) -> None:
        forward = self.forward
        if forward.whole is None:
            return
        values = list(_leaves(argument(forward.whole, self.names)))
        flat = len(values) == len(forward.returned)
        given = forward.returned if flat else tuple(Returned(forward.whole) for _ in values)
        returns = []
        for i, (value, each) in enumerate(zip(values, given, strict=True)):
            said = named.output(each, i, len(values))
            node = value.node if isinstance(value, Ref) else None
            name = said.name or (self.found[node].name if said.kind == "saved" and node is not None else "")
            returns.append(Output(said.kind, node, name, said.desc))
        args = (argument(forward.whole, self.names),)
        name = "output" if "output" not in self.names else "output_"
        self._add(Node(name, "output", "output", args, returns=tuple(returns)), forward.return_line)

    def _add(self, node: Node, line: int) -> None:
        if node.name in self.names and self.found[self.names[node.name]].name == node.name:
            raise NoGraphError(f"two nodes are called {node.name[:80]}")
        self.names[node.name] = len(self.found)
        self.lines.append(line)
        self.found.append(node)

    def _stack(self, line: int) -> int:
        frame = self.frames[line - 1] if 0 < line <= len(self.frames) else None
        return -1 if frame is None else self.table.add((frame,))

    def graph(self, head: Head, text: str) -> Graph:
        """The graph; `text` is the whole of what was printed, kept with the outermost."""
        marks: tuple[int, ...] = ()
        if text:
            line_of = dict.fromkeys(range(1, len(self.printed.lines) + 1), -1)
            line_of |= {line: i for i, line in reversed(list(enumerate(self.lines))) if line in line_of}
            marks = tuple(line_of.values())
        return Graph(
            id=head.gid,
            title=head.title,
            fragment=head.fragment,
            nodes=tuple(self.found),
            frames=self.table.frames,
            stacks=self.table.stacks,
            schemas=tuple(self.schemas),
            readable=text,
            readable_lines=marks,
            inference=head.inference,
            parent=self.parent,
            variant=head.variant,
            recompile=head.recompile,
            code=head.code,
        )


def _leaves(value: Arg) -> Iterator[Arg]:
    """What nested lists and dicts hold, in order."""
    if isinstance(value, Seq):
        for item in value.items:
            yield from _leaves(item)
    elif isinstance(value, Map):
        for _, item in value.items:
            yield from _leaves(item)
    else:
        yield value
