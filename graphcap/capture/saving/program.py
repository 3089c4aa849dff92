"""An ExportedProgram as a `.pt2` file; without the values of its weights, unless these are asked for."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.export.graph_signature import InputKind

LITERAL_BYTES = 1024  # of a tensor written in a forward, as `torch.tensor([0.5, 0.5])`; longer ones are data


def program_bytes(program: torch.export.ExportedProgram, *, weights: bool = False) -> bytes:
    """What `torch.export.save` writes of the program: `torch.export.load` takes it.

    Without `weights` its parameters, buffers and constant tensors lie on the meta device: dtype, shape and names are there,
    values are not, and neither are example inputs. `load_state_dict(..., assign=True)` on the loaded program's module gives
    it weights again. Raises what torch raises where a program can not be saved.
    """
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own, about its pytrees
        torch.export.save(program if weights else without_weights(program), file)
    return file.getvalue()


def without_weights(program: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """The same program, its graph shared, whose tensors have no values."""
    literals = {
        spec.target
        for spec in program.graph_signature.input_specs
        if spec.kind is InputKind.CONSTANT_TENSOR and str(spec.target).rpartition(".")[2].startswith("lifted_tensor_")
    }
    emptied: dict[int, Any] = {}  # tied weights stay one tensor

    def empty(tensor: Any) -> Any:
        if not isinstance(tensor, torch.Tensor):
            return tensor
        return emptied.setdefault(id(tensor), _empty(tensor))

    return torch.export.ExportedProgram(
        root=program.graph_module,
        graph=program.graph,
        graph_signature=program.graph_signature,
        state_dict=_each(program.state_dict, lambda name, tensor: empty(tensor)),
        range_constraints=program.range_constraints,
        module_call_graph=program.module_call_graph,
        example_inputs=None,
        constants=_each(
            program.constants,
            lambda name, tensor: tensor if name in literals and _is_short(tensor) else empty(tensor),
        ),
        verifiers=program.verifiers,
    )


def _each(values: Mapping[str, Any], change: Callable[[str, Any], Any]) -> dict[str, Any]:
    return {name: change(name, value) for name, value in values.items()}


def _is_short(tensor: Any) -> bool:
    return isinstance(tensor, torch.Tensor) and tensor.numel() * tensor.element_size() <= LITERAL_BYTES


def _empty(tensor: torch.Tensor) -> torch.Tensor:
    bare = tensor.detach().to("meta")
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(bare, requires_grad=tensor.requires_grad)
    return bare
