"""What a file is called when it is imported: by itself, or as a part of the package that its relative imports ask for."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import importlib.util
import sys
import types
from pathlib import Path

FLAT = "submission"
"""The package that files are taken for which import each other relatively, but lie in no folder."""

MAX_FOLDERS = 20  # that are looked in besides, of one project


@dataclasses.dataclass(frozen=True)
class Place:
    """A module's whole name; the folders Python looks in, first and last; the folder that `FLAT` stands for, if any."""

    name: str
    first: tuple[Path, ...]
    last: tuple[Path, ...] = ()
    flat: Path | None = None


def place_of(path: Path, root: Path) -> Place:
    """Of a file in the work folder `root`."""
    levels = relative_levels(path)
    stem = module_name(path)
    parts: list[str] = []
    folder = path.parent
    while folder != root and (len(parts) < levels or (folder / "__init__.py").exists()):
        parts.insert(0, folder.name)
        folder = folder.parent
    sources = source_folders(root)
    if not parts and not levels:
        return Place(stem, (path.parent, root), sources)
    own = path.stem if path.stem.isidentifier() else stem
    if len(parts) < levels:
        return Place(".".join((FLAT, *parts, own)), (root,), (path.parent, *sources), flat=root)
    return Place(".".join((*parts, own)), (folder, root), (path.parent, *sources))


def source_folders(root: Path) -> tuple[Path, ...]:
    """The folders of a project that hold its packages, as `src` of `src/net/__init__.py`: what `pip install .` would add."""
    holders = (
        start.parents[1] for pattern in ("*/*/__init__.py", "*/*/*/__init__.py") for start in sorted(root.glob(pattern))
    )
    found = (each for each in holders if not (each / "__init__.py").exists())
    return tuple(dict.fromkeys(found))[:MAX_FOLDERS]


def enter(place: Place) -> None:
    """Makes the files beside it importable, and imports the packages it lies in."""
    for folder in reversed(place.first):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    sys.path += [str(folder) for folder in place.last if str(folder) not in sys.path]
    if place.flat is not None:
        _flat_package(place.flat)
    if parent := place.name.rpartition(".")[0]:
        importlib.import_module(parent)


def _flat_package(root: Path) -> None:
    start = root / "__init__.py"
    if not start.exists():
        package = types.ModuleType(FLAT)
        package.__path__ = [str(root)]
        sys.modules[FLAT] = package
        return
    spec = importlib.util.spec_from_file_location(FLAT, start, submodule_search_locations=[str(root)])
    assert spec is not None and spec.loader is not None, start
    sys.modules[FLAT] = package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)


def relative_levels(path: Path) -> int:
    """The dots of its deepest relative import; 0 without any, and where it does not parse."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    return max((node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)), default=0)


def module_name(path: Path) -> str:
    """The file's own name where it can be a module's and no other module has it."""
    stem = "".join(c if c.isalnum() or c == "_" else "_" for c in path.stem)
    stem = stem if stem.isidentifier() else f"_{stem}"
    taken = stem in sys.modules or stem in sys.builtin_module_names or stem in sys.stdlib_module_names
    return f"submitted_{stem}" if taken else stem


def root_of(path: Path, name: str) -> Path:
    """The work folder, of a file and its submitted name: `FOLDER` of `FOLDER/pkg/net.py`, `pkg/net.py`."""
    for _ in Path(name).parts:
        path = path.parent
    return path
