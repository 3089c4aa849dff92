"""A TorchDispatchMode that writes every ATen call down as a node, with its frames, its module, and its autograd node.

Tensors are known by identity, and held weakly only: holding them would change what autograd does (whether a gradient is
stolen or cloned depends on its reference count).
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Iterator
from typing import Any

import torch
import torch.fx
from torch._C import DispatchKey, _TorchDispatchModeKey
from torch._higher_order_ops.utils import _in_hop_compile
from torch.fx.passes.shape_prop import TensorMetadata
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map
from torch.utils.weak import TensorWeakRef, WeakTensorKeyDictionary

from graphcap.capture.eager.aliases import Aliases
from graphcap.capture.eager.modules import ModuleStack, Stack
from graphcap.capture.eager.stacks import Stacks
from graphcap.capture.fx.values import VALUE, meta, with_grad
from graphcap.capture.target.tensors import Names
from graphcap.graph.document import Placeholder, TensorMeta, Tuple

_TRACERS = (_TorchDispatchModeKey.FAKE, _TorchDispatchModeKey.PROXY, _TorchDispatchModeKey.FUNCTIONAL)
MAX_CONSTANT = 1 << 18  # elements of a constant that is copied
_NO_SEQUENCE = 2**63  # AccumulateGrad has the largest unsigned number, calls before any autograd node have -1


class AtenCalls(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Builds `graph` while it is active. `backward` is set while the backward runs; `lost` counts calls not written down."""

    supports_higher_order_operators = True

    def __init__(self, stacks: Stacks, modules: ModuleStack, names: Names) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.graph = torch.fx.Graph()
        self.constants: dict[str, Placeholder] = {}
        self._constants: dict[str, torch.Tensor] = {}  # copies
        self.backward = False
        self.lost = 0
        self._stacks = stacks
        self._modules = modules
        self._nodes: Any = WeakTensorKeyDictionary()
        self._aliases = Aliases()
        self._owner: dict[int, tuple[str, Stack]] = {}  # sequence number -> stack and modules of its first forward call
        self._last: tuple[torch.fx.Node, list[TensorWeakRef | None]] | None = None
        self._names = names

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Whether Dynamo may compile under this mode: for a higher-order op, whose result has no gradient otherwise, but not
        for a compiled submodule of the person's, which shows its ATen calls when it runs as plain code."""
        return _in_hop_compile()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Runs the call; writes it down unless torch is tracing (cond's autograd traces its branches on fake tensors)."""
        kwargs = kwargs or {}
        if any(torch._C._get_dispatch_mode(key) is not None for key in _TRACERS):
            return func(*args, **kwargs)
        if isinstance(func, torch._ops.HigherOrderOperator):
            return self._higher_order(func, args, kwargs)
        self._finish_last()
        given = self._arguments(args, kwargs)  # before the call, which may write into its arguments
        result = func(*args, **kwargs)
        try:
            if given is not None:
                self._write(func, *given, result)
        except Exception:  # a stranger's tensor subclass; the run itself must go on
            self.lost += 1
        return result

    def _higher_order(self, func: Any, args: Any, kwargs: Any) -> Any:
        """Eager PyTorch runs the bodies of a higher-order op: their calls are written down, not the op."""
        dense = func.py_kernels.get(DispatchKey.CompositeExplicitAutograd)
        if dense is None:
            return func(*args, **kwargs)
        with _asks_for_no_mode(dense), self:
            return dense(*args, **kwargs)

    def _arguments(self, args: Any, kwargs: Any) -> tuple[Any, Any] | None:
        try:
            converted: tuple[Any, Any] = tree_map(self._argument, (tuple(args), dict(kwargs)))
            return converted
        except Exception:
            self.lost += 1
            return None

    def _argument(self, value: Any) -> Any:
        return self.node_of(value) if isinstance(value, torch.Tensor) else value

    def node_of(self, tensor: torch.Tensor) -> torch.fx.Node:
        """The node that made a tensor; one that came from elsewhere becomes a constant."""
        found = self._nodes.get(tensor)
        if found is None:
            found = self._aliases.find(tensor)
        if found is None:
            found = self._constant(tensor)
        return found if isinstance(found, torch.fx.Node) else self._item(found[0], found[1], tensor)

    def _constant(self, tensor: torch.Tensor) -> torch.fx.Node:
        name = f"_tensor_constant{len(self.constants)}"
        node = self._annotate(self.graph.create_node("get_attr", name, name=name), tensor)
        known = self._names.get(id(tensor))
        with contextlib.suppress(Exception):  # a stranger's subclass
            if tensor.numel() <= MAX_CONSTANT:
                self._constants[name] = tensor.detach().clone()
        self.constants[node.name] = Placeholder("constant", known[0].name if known else name)
        self.name(tensor, node)
        return node

    def _item(self, node: torch.fx.Node, index: int, tensor: torch.Tensor) -> torch.fx.Node:
        """The node of one value of several; made when it is first used, right behind the call."""
        after = node
        while after.next.target is operator.getitem and after.next.args[0] is node:
            after = after.next
        with self.graph.inserting_after(after):
            item = self.graph.create_node("call_function", operator.getitem, (node, index))
        item.meta.update({key: value for key, value in node.meta.items() if key not in (VALUE, "tensor_meta")})
        value = node.meta.get(VALUE)
        self._annotate(item, tensor)
        if isinstance(value, Tuple):
            item.meta[VALUE] = value.items[index]
        self.name(tensor, item)
        return item

    def placeholder(self, name: str, tensor: torch.Tensor) -> torch.fx.Node:
        """An input of the graph."""
        node = self._annotate(self.graph.create_node("placeholder", name, name=name), tensor)
        self.name(tensor, node)
        return node

    def name(self, tensor: torch.Tensor, node: Any) -> None:
        """From here on `tensor` is what `node` made."""
        self._nodes[tensor] = node
        self._aliases.add(tensor, node)

    def _annotate(self, node: torch.fx.Node, value: Any) -> torch.fx.Node:
        node.meta[VALUE] = meta(value)
        if isinstance(value, torch.Tensor) and (described := _for_print(value)) is not None:
            node.meta["tensor_meta"] = described  # print_readable shows it
        return node

    def _write(self, func: Any, args: Any, kwargs: Any, result: Any) -> None:
        name = self.graph._target_to_str(func.overloadpacket.__name__)
        node = self.graph.create_node("call_function", func, args, kwargs, name=name)
        self._annotate(node, result)
        self._place(node)
        single = isinstance(result, torch.Tensor)
        tensors = [result] if single else list(result) if isinstance(result, list | tuple) else []
        for i, tensor in enumerate(tensors):
            if isinstance(tensor, torch.Tensor):
                self.name(tensor, node if single else (node, i))
        self._last = (node, [TensorWeakRef(t) if isinstance(t, torch.Tensor) else None for t in tensors])

    def _place(self, node: torch.fx.Node) -> None:
        """Frames, modules and sequence number; a backward call without the person's line has those of its forward call."""
        trace, mine = self._stacks.current()
        modules = self._modules.current()
        current = torch._C._current_autograd_node()
        sequence = current._sequence_nr() if current is not None else torch.autograd._get_sequence_nr() - 1
        known = 0 <= sequence < _NO_SEQUENCE
        if known:
            node.meta["seq_nr"] = sequence
        if not self.backward:
            if known:
                self._owner.setdefault(sequence, (trace, modules))
        else:
            node.meta["autograd_backward"] = True
            owner = self._owner.get(sequence) or ("", self._modules.of_variable(getattr(current, "variable", None)))
            trace = trace if mine else owner[0] or ""
            modules = modules or owner[1]
        node.meta["stack_trace"] = trace or None
        node.meta["fwd_nn_module_stack" if self.backward else "nn_module_stack"] = modules

    def _finish_last(self) -> None:
        """autograd marks a result after our call returned: whether it requires grad is seen at the next call."""
        if self._last is None:
            return
        (node, refs), self._last = self._last, None
        flags = [ref is not None and (t := ref()) is not None and t.requires_grad for ref in refs]
        value = node.meta[VALUE]
        if isinstance(value, TensorMeta) and any(flags):
            node.meta[VALUE] = with_grad(value)
        elif isinstance(value, Tuple) and len(value.items) == len(flags):
            items = tuple(with_grad(item) if flag else item for item, flag in zip(value.items, flags, strict=True))
            node.meta[VALUE] = Tuple(value.type, items)

    def root(self) -> torch.nn.Module:
        """What holds the graph's constants as they were when they were first read; large ones are missing."""
        module = torch.nn.Module()
        for name, tensor in self._constants.items():
            setattr(module, name, tensor.clone())
        return module

    def finish(self, outputs: list[Any]) -> torch.fx.Graph:
        """The graph, returning the values given (tensors and constants)."""
        self._finish_last()
        self.graph.output(tuple(self._argument(value) for value in outputs))
        return self.graph


@contextlib.contextmanager
def _asks_for_no_mode(kernel: Any) -> Iterator[None]:
    """The dense kernels of cond, scan and others assert that no mode is active; ours may be, it only watches."""
    names = getattr(kernel, "__globals__", {})
    asked = names.get("_get_current_dispatch_mode")
    if asked is not None:
        names["_get_current_dispatch_mode"] = lambda: None
    try:
        yield
    finally:
        if asked is not None:
            names["_get_current_dispatch_mode"] = asked


def _for_print(value: torch.Tensor) -> Any:
    try:
        stride = value.stride() if value.layout is torch.strided else ()
        return TensorMetadata(value.shape, value.dtype, value.requires_grad, stride, None, False, {})
    except Exception:  # uninitialized parameters and nested tensors have no shape
        return None
