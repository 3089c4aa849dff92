"""What a guard checks, in few words, and what of the call it fixes in the compiled code."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from graphcap.analyses.labels import DTYPES
from graphcap.graph.document import Guard

Fixes = Literal["value", "sizes", "length", ""]
"""What the compiled code is specialised on: the value itself, a tensor's sizes, how many items or which keys; "": none."""

RANK: dict[Fixes, int] = {"value": 0, "sizes": 1, "length": 2, "": 3}

MAX_SAYS = 200  # characters; all of it stands in the guard's code


class Kind(NamedTuple):
    """Of one kind of torch's guards: what it looks at, and what it fixes."""

    word: str
    fixes: Fixes = ""


OBJECT = Kind("the same object")

KINDS: dict[str, Kind] = {
    "CONSTANT_MATCH": Kind("value", "value"),
    "CONSTANT_SUBCLASS_MATCH": Kind("value", "value"),
    "EQUALS_MATCH": Kind("value", "value"),
    "BOOL_MATCH": Kind("value", "value"),
    "NONE_MATCH": Kind("value", "value"),
    "RANGE_ITERATOR_MATCH": Kind("range", "value"),
    "COUNT_ITERATOR_MATCH": Kind("counter", "value"),
    "TENSOR_MATCH": Kind("tensor"),  # it fixes sizes where torch made none of them dynamic: see `fixes`
    "SHAPE_ENV": Kind("sizes"),
    "SEQUENCE_LENGTH": Kind("length", "length"),
    "TUPLE_ITERATOR_LEN": Kind("length", "length"),
    "DICT_KEYS_MATCH": Kind("keys", "length"),
    "MAPPING_KEYS_CHECK": Kind("keys", "length"),
    "DICT_CONTAINS": Kind("a key", "length"),
    "DICT_NOT_CONTAINS": Kind("no such key", "length"),
    "SET_CONTAINS": Kind("an item", "length"),
    "SET_NOT_CONTAINS": Kind("no such item", "length"),
    "DICT_VERSION": Kind("unchanged dict"),
    "TYPE_MATCH": Kind("type"),
    "FAKE_SCRIPT_TYPE_MATCH": Kind("type"),
    "NOT_NONE_MATCH": Kind("not None"),
    "HASATTR": Kind("attribute"),
    "NOT_PRESENT_IN_GENERIC_DICT": Kind("not set on it"),
    "EMPTY_NN_MODULE_HOOKS_DICT": Kind("no hooks"),
    "DUPLICATE_INPUT": Kind("the same object under two names"),
    "ID_MATCH": OBJECT,
    "CLASS_MATCH": OBJECT,
    "FUNCTION_MATCH": OBJECT,
    "CLOSURE_MATCH": OBJECT,
    "BUILTIN_MATCH": OBJECT,
    "MODULE_MATCH": OBJECT,
    "NN_MODULE": OBJECT,
    "WEAKREF_ALIVE": Kind("still alive"),
    "DISPATCH_KEY_SET_MATCH": Kind("dispatch keys"),
    "TENSOR_SUBCLASS_METADATA_MATCH": Kind("metadata of a tensor subclass"),
    "DTENSOR_SPEC_MATCH": Kind("placement of a DTensor"),
    "OPAQUE_OBJ_GUARD_FN_MATCH": Kind("its own check"),
    "GRAD_MODE": Kind("grad mode"),
    "DETERMINISTIC_ALGORITHMS": Kind("deterministic algorithms"),
    "GLOBAL_STATE": Kind("torch's global settings"),
    "TORCH_FUNCTION_STATE": Kind("__torch_function__ modes"),
    "DEFAULT_DEVICE": Kind("default device"),
    "AUTOGRAD_SAVED_TENSORS_HOOKS": Kind("hooks on saved tensors"),
    "FSDP_TRAINING_STATE": Kind("state of FSDP"),
    "DUAL_LEVEL": Kind("level of forward AD"),
    "FUNCTORCH_STACK_MATCH": Kind("torch.func transforms"),
}
"""By the name of torch's guard; another's name is said as it is."""

_TENSOR = re.compile(
    r"check_tensor\(.*?, (?P<cls>[\w.]+), DispatchKeySet\([^)]*\), torch\.(?P<dtype>\w+), device=[^,]*, "
    r"requires_grad=(?P<grad>True|False), size=\[(?P<size>[^\]]*)\](?:, stride=\[(?P<stride>[^\]]*)\])?",
    re.S,
)
_CLASS = re.compile(r"type=<class '([^']*)'>")
_SIZE_IS = re.compile(r"(?<![=!<>])==(?!=)")


def word(kind: str) -> str:
    """What a kind of guard looks at."""
    known = KINDS.get(kind)
    return known.word if known else kind


def fixes(guard: Guard) -> Fixes:
    """What the guard specialises the compiled code on."""
    if guard.kind == "TENSOR_MATCH":
        match = _tensor(guard)
        own = match is None or match["cls"] == "Parameter" or "._parameters[" in guard.source or "._buffers[" in guard.source
        sizes = [] if own or match is None else _sizes(match["size"])
        return "sizes" if any(size != "None" for size in sizes) else ""
    if guard.kind == "SHAPE_ENV":
        return "sizes" if any(_SIZE_IS.search(code) for code in guard.code) else ""
    known = KINDS.get(guard.kind)
    return known.fixes if known else ""


def says(guard: Guard) -> str:
    """The check in few words, without its source: `== 'gelu'`, `f32[4, 16], stride [16, 1], requires grad`."""
    match = _tensor(guard) if guard.kind == "TENSOR_MATCH" else None
    text = _tensor_says(match) if match else _says(guard)
    return text if len(text) <= MAX_SAYS else text[: MAX_SAYS - 1] + "…"


def _tensor(guard: Guard) -> re.Match[str] | None:
    return next((match for code in guard.code if (match := _TENSOR.match(code))), None)


def _sizes(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _tensor_says(match: re.Match[str]) -> str:
    size = ", ".join("any" if part == "None" else part for part in _sizes(match["size"]))
    said = [f"{DTYPES.get(match['dtype'], match['dtype'])}[{size}]"]
    if match["stride"] is not None:
        said.append(f"stride [{', '.join('any' if part == 'None' else part for part in _sizes(match['stride']))}]")
    said.append("requires grad" if match["grad"] == "True" else "no grad")
    return ", ".join(said)


def _says(guard: Guard) -> str:
    code = guard.code[-1] if guard.code else ""
    of_class = _CLASS.search(code)
    if of_class:
        return of_class[1]
    if guard.kind == "GLOBAL_STATE":
        return ""
    if not guard.source:
        return code
    bare = code.replace(guard.source, "…")
    for written, said in (("list(dict.keys(…))", "keys"), ("list(….keys())", "keys"), ("len(…)", "length")):
        bare = bare.replace(written, said)
    return bare.removeprefix("… ")
