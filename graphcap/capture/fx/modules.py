"""`nn_module_stack` of export and of Dynamo as one table: dotted paths from the root, short class names."""

from __future__ import annotations

import re
from typing import Any

import torch
from torch._export.passes._node_metadata_hook import _EMPTY_NN_MODULE_STACK_KEY

from graphcap.graph.document import Module

_ROOT = re.compile(r"^(?:L|G)\[['\"]([^'\"]*)['\"]\]|^L__self__|^self\b")
MEMBER = re.compile(r"\._(?:modules|parameters|buffers)\[['\"]([^'\"]*)['\"]\]")
"""How torch writes `.NAME` of a module."""

_ITEM = re.compile(r"\[['\"]?([^'\"\]]*)['\"]?\]")
_REPEAT = re.compile(r"@\d+$")


class ModuleTable:
    """The module stacks of one graph. With the `model`, Dynamo's stacks (keyed by id) get its own dotted paths."""

    def __init__(self, model: object = None) -> None:
        modules = model.named_modules() if isinstance(model, torch.nn.Module) else ()
        self._paths = {str(id(module)): path for path, module in modules}
        self._root = Module("", type(model).__name__) if self._paths else None
        self._stacks: dict[tuple[Module, ...], int] = {}

    def stack(self, recorded: Any) -> int:
        """The index of one `nn_module_stack`; -1 for none."""
        if not isinstance(recorded, dict) or not recorded:
            return -1
        modules: list[Module] = []
        for key, entry in recorded.items():
            module = self._module(str(key), entry)
            if module is not None and (not modules or modules[-1].path != module.path):
                modules.append(module)
        if modules and modules[0].path and self._root is not None:
            modules.insert(0, self._root)
        return self._stacks.setdefault(tuple(modules), len(self._stacks)) if modules else -1

    def _module(self, key: str, entry: Any) -> Module | None:
        if not isinstance(entry, tuple) or len(entry) != 2:
            return None
        path, cls = entry
        if path == _EMPTY_NN_MODULE_STACK_KEY:  # torch's mark of a node that a pass added outside of any module
            return None
        known = self._paths.get(_REPEAT.sub("", key))
        return Module(clean_path(str(path)) if known is None else known, class_name(cls))

    @property
    def stacks(self) -> tuple[tuple[Module, ...], ...]:
        """The table that nodes index."""
        return tuple(self._stacks)


def clean_path(path: str) -> str:
    """`seq.0` for `L['self'].seq.0`, `L['self']._modules['seq']._modules['0']`, `seq.0@1`."""
    text = _REPEAT.sub("", path)
    text = MEMBER.sub(r".\1", _ROOT.sub("", text))
    text = _ITEM.sub(r".\1", text)
    return text.strip(".")


def class_name(cls: Any) -> str:
    """`Linear` for a class or for its dotted name."""
    if isinstance(cls, type):
        return cls.__qualname__.rsplit(".", 1)[-1]
    return str(cls).rsplit(".", 1)[-1]
