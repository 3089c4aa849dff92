"""Which of several files is captured: the one that is named, or found by the rules; else the list to choose from."""

from __future__ import annotations

import ast
import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from graphcap.errors import UserError
from graphcap.graph.stream import Kind
from graphcap.intake.reading.parsed import Fault, parse
from graphcap.intake.reading.rules import WATCHED

PROGRAMS: tuple[Kind, ...] = ("pt2", "torchscript", "pickle")
CODE: tuple[Kind, ...] = ("py", "ipynb")
ASIDE = ("__init__.py", "setup.py", "conftest.py")
USUAL = ("main.py", "model.py", "train.py")
MAX_NAMED = 10
MAX_PARSED = 4 << 20  # bytes of Python together; parsing takes a second and 200 MB for each MiB


@dataclasses.dataclass(frozen=True)
class Sorted:
    """A file under its safe name with what it is; `kind` None: a file that lies beside, such as data."""

    name: str
    data: bytes
    kind: Kind | None

    @functools.cached_property
    def facts(self) -> Facts:
        """What its code says, read without running it."""
        return _facts(self.data) if self.kind == "py" else Facts()


@dataclasses.dataclass(frozen=True)
class Facts:
    """Of a file of Python: names it gives at module level, modules it imports (last parts), and what it does."""

    assigned: frozenset[str] = frozenset()
    imported: frozenset[str] = frozenset()
    has_main: bool = False
    calls: bool = False
    modules: bool = False  # defines a class on top of something called Module


def find_entry(files: Sequence[Sorted], wanted: str) -> Sorted:
    """The file to capture. Raises UserError("which-entry") with the candidates where there is not just one."""
    if wanted:
        return _named(files, wanted)
    if log := next((file for file in files if file.kind == "log"), None):
        return log  # the others that came with it are read too
    if programs := [file for file in files if file.kind in PROGRAMS]:
        return _only(programs)
    if code := candidates(files):
        return _only(code)
    if weights := [file for file in files if file.kind == "weights"]:
        return max(weights, key=lambda file: len(file.data))
    names = ", ".join(file.name for file in files[:MAX_NAMED]) or "nothing"
    raise UserError(
        "unsupported-upload",
        "There is nothing to capture in these files",
        f"Looked for Python code (.py), a notebook (.ipynb), a saved program or module (.pt2, .pt, .pth); found {names}.",
        "Add the file with the model's code.",
    )


def candidates(files: Sequence[Sorted]) -> list[Sorted]:
    """The files of code that may be meant, narrowed by each rule that tells them apart; one, where they agree.

    More code than is parsed for this tells nothing: then one has to be named.
    """
    left = [file for file in files if file.kind in CODE]
    if sum(len(file.data) for file in left if file.kind == "py") > MAX_PARSED:
        return left
    imported = frozenset[str]().union(*(file.facts.imported for file in left))
    for rule in (_own, *RULES):
        left = [file for file in left if rule(file)] or left
    left = [file for file in left if PurePosixPath(file.name).stem not in imported] or left
    for name in USUAL:
        left = [file for file in left if PurePosixPath(file.name).name == name] or left
    return [file for file in left if file.facts.modules] or left


def _own(file: Sorted) -> bool:
    last = PurePosixPath(file.name).name
    return last not in ASIDE and not last.startswith("test_")


RULES: tuple[Callable[[Sorted], bool], ...] = (
    lambda file: {"model", "example_args"} <= file.facts.assigned,
    lambda file: PurePosixPath(file.name).name == "__main__.py",
    lambda file: file.facts.has_main or file.facts.calls,
    lambda file: "model" in file.facts.assigned,
)
"""Most telling first. A rule that no file meets tells nothing."""


def _named(files: Sequence[Sorted], wanted: str) -> Sorted:
    asked = wanted.replace("\\", "/").strip("/")
    exact = [file for file in files if file.name == asked]
    longer = [file for file in files if asked.endswith(f"/{file.name}")]  # as it lay in a folder that is taken off
    found = exact or sorted(longer, key=lambda file: len(file.name))[-1:]
    found = found or [file for file in files if file.name.endswith(f"/{asked}")]
    if len(found) != 1:
        what = f"{len(found)} files end in" if found else "no file is called"
        raise _which(f"The option `entry` is {wanted[:200]!r}, but {what} that", found or files)
    if found[0].kind is None:
        raise _which(f"{found[0].name} holds nothing that can be captured", files)
    return found[0]


def _only(found: Sequence[Sorted]) -> Sorted:
    if len(found) > 1:
        raise _which("Several could be meant", found)
    return found[0]


def _which(why: str, found: Iterable[Sorted]) -> UserError:
    names = [file.name for file in found if file.kind is not None]
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return UserError(
        "which-entry",
        "Which of these files is to be captured?",
        f"{why}. To choose from: {', '.join(names[:MAX_NAMED])}{more}.",
        "Name it in the option `entry`, or give one of them `model` and `example_args` at module level.",
    )


def _facts(data: bytes) -> Facts:
    tree = parse(data)
    if isinstance(tree, Fault):
        return Facts()
    assigned = {node.id for top in tree.body for node in ast.walk(top) if isinstance(node, ast.Name) and _stored(top, node)}
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {part for alias in node.names for part in alias.name.split(".")}
        elif isinstance(node, ast.ImportFrom):
            imported |= set((node.module or "").split(".")) | ({alias.name for alias in node.names} if node.level else set())
    text = data.decode("utf-8", "replace")
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return Facts(
        frozenset(assigned),
        frozenset(imported),
        any(isinstance(top, ast.If) and _names(top.test, "__main__") for top in tree.body),
        any(mark in text for mark in WATCHED),
        any(_names(base, "Module") for node in classes for base in node.bases),
    )


def _stored(top: ast.stmt, node: ast.Name) -> bool:
    return isinstance(top, ast.Assign | ast.AnnAssign) and isinstance(node.ctx, ast.Store)


def _names(expression: ast.expr, word: str) -> bool:
    """Whether the word is in a name or a text of the expression. `ast.unparse` would go as deep as a long sum is."""
    for node in ast.walk(expression):
        text = node.value if isinstance(node, ast.Constant) else getattr(node, "attr", getattr(node, "id", ""))
        if isinstance(text, str) and word in text:
            return True
    return False
