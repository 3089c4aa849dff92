"""Opens a module that was pickled whole (`torch.save(model, ...)`, fx GraphModules), with its code beside it.

A pickle is a program: opening one imports what it names and calls it. That happens here, in the jail, and what it called
beside torch's own and the submitted code is told.
"""

from __future__ import annotations

import io
import pickle
from _compat_pickle import IMPORT_MAPPING
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from graphcap.capture.failures import failure_of
from graphcap.capture.find.code.package import enter, place_of, root_of
from graphcap.capture.find.inputs import InputsError
from graphcap.capture.find.modules import uncompiled_inside
from graphcap.capture.find.named import few_of, remarks
from graphcap.capture.find.opening.given import candidate_of, import_beside, inputs_beside, names_given
from graphcap.capture.find.pickles.listening import listening
from graphcap.capture.find.pickles.replaced import pickle_with
from graphcap.capture.find.targets import Finding
from graphcap.capture.find.weights.state import LEGACY, ZIP, WeightsError, read_state, state_in
from graphcap.capture.find.weights.weights import nothing_but_weights
from graphcap.graph.document import Failure, Options

PLAIN = {"torch", "collections", "numpy", "_codecs", "copyreg", "functools", "operator", "pathlib", "datetime", "argparse"}
"""Packages whose names a pickle of a model may hold without being told of."""

BUILTINS = {"set", "frozenset", "dict", "list", "tuple", "int", "float", "bool", "str", "bytes", "bytearray", "complex"}
BUILTINS |= {"object", "getattr", "slice", "range", "type"}
COMPILED = {"contextlib.nullcontext"}
"""What torch.compile leaves in a module that is pickled."""

_BESIDE = "Send the files of Python that define the model's classes together with it."


class NoCode(Exception):
    """The pickle names a class whose code is not here."""


class PickledProgram(Exception):
    """Torch can not read an ExportedProgram back that was pickled: it has a format of its own."""


class Opened:
    """What opening a pickle met: names it imported that are neither torch's nor the submitted code's."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.foreign: list[str] = []

    def told(self) -> str:
        """For the page; empty where there is nothing to tell."""
        if not (names := list(dict.fromkeys(self.foreign))):
            return ""
        return f"opening the pickle also called {few_of(names)}"

    def find(self, found: Any, module: str, name: str) -> Any:
        """Resolves a name as pickle does; `__main__` and modules that are not here are looked up in the submitted files."""
        if (module, name) == ("torch.export.exported_program", "ExportedProgram"):
            raise PickledProgram("the file holds a pickled ExportedProgram, which torch can not read back")
        if module != "__main__":
            known = len(self.foreign)
            try:
                return found(module, name)
            except (ModuleNotFoundError, AttributeError):
                del self.foreign[known:]  # there is nothing of that name to call
                if module.split(".")[0] in PLAIN:
                    raise
        return self._in_files(module, name)

    def hear(self, module: str, name: str) -> None:
        """A name that a pickle looks up, here or anywhere inside."""
        module = IMPORT_MAPPING.get(module, module)  # of Python 2, which protocol 2 writes
        base = module.split(".")[0]
        known = base in PLAIN or f"{module}.{name}" in COMPILED or (base == "builtins" and name in BUILTINS)
        if not known and not (self.root / base).is_dir() and not (self.root / f"{base}.py").exists():
            self.foreign.append(f"{module}.{name}")

    def _in_files(self, module: str, name: str) -> Any:
        for path in sorted(self.root.rglob("*.py")):
            if name.split(".")[0] in names_given(path):
                value = import_beside(path, self.root)
                for part in name.split("."):
                    value = getattr(value, part)
                return value
        raise NoCode(f"the pickle names {name} of the module {module}, whose code is not among the files")


def open_pickle(path: Path, options: Options, users: Mapping[str, str]) -> Finding:
    """One target for the module in the file, or why there is none. Raises InputsError."""
    root = root_of(path, users.get(str(path), path.name))
    opened = Opened(root)
    try:
        enter(place_of(path, root))
        with listening(opened.hear):
            value = _load(path, opened, "meta" if options.meta else "cpu")
        beside = None if options.inputs.strip() else inputs_beside(root)
    except InputsError:
        raise
    except BaseException as error:  # whatever the pickle and the code did
        if isinstance(error, NoCode) and (weights := _weights_in(path, options.parameter_statistics)):
            return Finding(failures=(weights,))
        return Finding(failures=(_failed(error, opened, users),))
    where, model = _module_in(value)
    if model is None:
        return Finding(failures=(_no_module(path, value, opened, options.parameter_statistics),))
    what = "fx GraphModule" if isinstance(model, torch.fx.GraphModule) else "nn.Module"
    rule = remarks(f"the {what} pickled in {path.name}{where}", opened.told())
    return candidate_of(model, rule, options, beside)


def _load(path: Path, opened: Opened, device: str) -> Any:
    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            return opened.find(super().find_class, module, name)

    data = path.read_bytes()
    if not data.startswith((ZIP, LEGACY)):
        return Unpickler(io.BytesIO(data)).load()
    return torch.load(path, map_location=device, pickle_module=pickle_with(Unpickler), weights_only=False)


def _module_in(value: Any) -> tuple[str, Any]:
    """The module, out of what torch.compile made of it, and where in a checkpoint it was."""
    inner = {f" under the key {str(key)[:80]!r}": each for key, each in value.items()} if isinstance(value, dict) else {}
    for where, each in {"": value, **inner}.items():
        if isinstance(module := uncompiled_inside(each), torch.nn.Module):
            return where, module
    return "", None


def _no_module(path: Path, value: Any, opened: Opened, counted: bool) -> Failure:
    if state := state_in(value):
        told = f"{opened.told()}; it ran in the jail" if opened.foreign else ""
        return nothing_but_weights(path.name, state, told, counted)
    said = f"{path.name} holds a {type(value).__name__}, and no nn.Module."
    told = f"\n{opened.told().capitalize()}; it ran in the jail." if opened.foreign else ""
    return Failure("no-module", said + told, hints=("Save the model itself: torch.save(model, 'model.pt').", _BESIDE))


def _weights_in(path: Path, counted: bool) -> Failure | None:
    """Of a checkpoint with settings whose class is not here, what can be read without it."""
    try:
        read = read_state(path)
    except WeightsError:
        return None
    return nothing_but_weights(path.name, read.state, read.told(), counted)


def _failed(error: BaseException, opened: Opened, users: Mapping[str, str]) -> Failure:
    hint = _PROGRAM if isinstance(error, PickledProgram) else _AGAIN
    if isinstance(error, NoCode | AttributeError | ModuleNotFoundError):
        hint = _BESIDE
    how = remarks("opening the pickle", opened.told())
    return failure_of(error, users, how=how, hints=(hint,))


_AGAIN = "The file may be damaged, or made by another version: save it again with torch.save(model, 'model.pt')."
_PROGRAM = "Save it as what it is: torch.export.save(program, 'model.pt2')."
