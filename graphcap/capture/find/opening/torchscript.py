"""Opens a TorchScript archive (`torch.jit.save`): converted to an exported program, where torch's converter can."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from graphcap.capture.failures import failure_of
from graphcap.capture.find.code.package import root_of
from graphcap.capture.find.inputs import InputsError
from graphcap.capture.find.opening.given import inputs_beside, inputs_needed
from graphcap.capture.find.signature import Call, call_with
from graphcap.capture.find.targets import Candidate, Finding, program_candidate
from graphcap.capture.target.loaded import Loaded
from graphcap.graph.document import Failure, Options

MAX_OPS = 60
_SAVE = "Save it again with torch.jit.save, or export the model it was made of: torch.export.export(model, args)."


def open_torchscript(path: Path, options: Options, users: Mapping[str, str]) -> Finding:
    """One target for the module in the archive, or why there is none. Raises InputsError."""
    warnings.filterwarnings("ignore", message="`torch.jit", category=DeprecationWarning)  # said to those who write it
    try:
        model = torch.jit.load(str(path), map_location="cpu")  # type: ignore[no-untyped-call]
        if not hasattr(model, "forward"):
            return Finding(failures=(_no_forward(model, path.name),))
        _print_operators(model, path.name)
        beside = None if options.inputs.strip() else inputs_beside(root_of(path, users.get(str(path), path.name)))
    except InputsError:
        raise
    except BaseException as error:  # a damaged archive, or the code beside it
        return Finding(failures=(failure_of(error, users, hints=(_SAVE,)),))
    names = [each.name for each in model.forward.schema.arguments[1:] if not each.has_default_value()]
    what = f"the TorchScript module {model.original_name} in {path.name}"
    call = call_with(model, options.inputs) if options.inputs.strip() else beside
    if call is None and names:
        return inputs_needed(f"{what}: it needs inputs ({', '.join(names)})", names, model)
    return _converted(model, call or Call(), what, users)


def _no_forward(model: Any, name: str) -> Failure:
    """Such a module is called by other methods, which its code calls `torch.jit.export`."""
    methods = ", ".join(each for each in model._c._method_names()) or "none"
    what = f"the TorchScript module {model.original_name} in {name} has no `forward`; its methods: {methods}."
    return Failure("nothing-to-capture", what, hints=("Save it with a `forward` that calls the method to capture.",))


def _converted(model: Any, call: Call, what: str, users: Mapping[str, str]) -> Finding:
    args, kwargs = _placed(model, call)
    try:
        from torch._export.converter import TS2EPConverter  # late: few need it, and it warns of TorchScript's end

        program = TS2EPConverter(model, args, kwargs).convert()
    except BaseException as error:
        failure = failure_of(error, users)
        sys.stderr.write(failure.trace)
        why = (failure.message.strip() or failure.type).splitlines()[0][:300]
        rule = f"{what}; torch could not convert it to an exported program ({failure.type}: {why}), so it is run as it is"
        return Finding((Candidate(Loaded("t1", model.original_name, model, args, kwargs), rule),))
    rule = f"{what}, converted to an exported program by torch, whose parameters are buffers"
    return Finding((program_candidate("t1", model.original_name, program, rule),))


def _placed(model: Any, call: Call) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The converter gives names to positional arguments only."""
    args, kwargs = list(call.args), dict(call.kwargs)
    for argument in model.forward.schema.arguments[1 + len(args) :]:
        if argument.name not in kwargs:
            break
        args.append(kwargs.pop(argument.name))
    return tuple(args), kwargs


def _print_operators(model: Any, name: str) -> None:
    """What its graph calls, for the captured output: had also where nothing else can be."""
    counts = Counter(node.kind() for node in model.inlined_graph.nodes() if node.kind() not in _PLUMBING)
    sys.stdout.write(f"{name}: TorchScript module {model.original_name}\n")
    for kind, count in counts.most_common(MAX_OPS):
        sys.stdout.write(f"  {count:>5} {kind}\n")


_PLUMBING = {"prim::Constant", "prim::GetAttr", "prim::ListConstruct", "prim::TupleConstruct"}
