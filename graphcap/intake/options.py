"""The options of a capture from JSON, with errors that name the field and what it may be."""

from __future__ import annotations

import typing

import msgspec

from graphcap.errors import UserError
from graphcap.graph.document import RUN_STAGES, Options
from graphcap.graph.inputs import HINT, InputsError, parse_inputs
from graphcap.intake.reading.expression import construct_fault

MAX_ENTRY = 1000
MAX_INPUTS = 20_000  # characters; a model with a thousand inputs needs fewer


def decode_options(raw: object) -> Options:
    """Options from JSON text, from decoded JSON, or the defaults from None. UserError: "bad-options", "bad-inputs"."""
    if raw is None or raw == "" or raw == b"":
        return Options()
    try:
        options = msgspec.json.decode(raw, type=Options) if isinstance(raw, str | bytes) else msgspec.convert(raw, Options)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise _refusal(str(error), _choices()) from None
    return _checked(options)


def _checked(options: Options) -> Options:
    if not options.stages:
        raise _refusal("`stages` is empty", f"Name at least one of {', '.join(RUN_STAGES)}, or leave it out for all.")
    for name, text in (
        ("inputs", options.inputs),
        ("second_inputs", options.second_inputs),
        ("construct", options.construct),
    ):
        if len(text) > MAX_INPUTS:
            raise _refusal(f"`{name}` has {len(text)} characters; the limit is {MAX_INPUTS}", "Shorten it.")
        if not _is_text(text):
            raise _refusal(f"`{name}` holds characters that are no text", "Type it again.")
    for named, text in (("inputs", options.inputs), ("second inputs", options.second_inputs)):
        try:
            parse_inputs(text)
        except InputsError as error:
            raise UserError(
                "bad-inputs", "The inputs can not be read", f"{named}: {str(error).removeprefix('inputs, ')}", HINT
            ) from None
    if fault := construct_fault(options.construct):
        raise _refusal(f"`construct`, {fault}", "Write a call with names of the file: Net(10, hidden=64).")
    if len(options.entry) > MAX_ENTRY or not _is_text(options.entry):
        raise _refusal("`entry` is no name of a file", "Name one of the files that are sent, or leave it out.")
    if logged := [stage for stage in options.stages if stage not in RUN_STAGES]:
        raise _refusal(f"`{logged[0]}` is had from logs of TORCH_TRACE only", f"Choose of {', '.join(RUN_STAGES)}.")
    wanted = tuple(stage for stage in RUN_STAGES if stage in options.stages)  # each once, in their own order
    return msgspec.structs.replace(options, stages=wanted)


def _is_text(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def _choices() -> str:
    """Every option with its values, from the type itself."""
    found = []
    for name, hint in typing.get_type_hints(Options).items():
        values = typing.get_args(hint)
        if typing.get_origin(hint) is typing.Literal:
            found.append(f"{name}: {' | '.join(values)}")
        elif name == "stages":
            found.append(f"stages: a list of {', '.join(RUN_STAGES)}")
        else:
            found.append(f"{name}: {'true | false' if hint is bool else 'text'}")
    return "Options are " + "; ".join(found) + "."


def _refusal(detail: str, hint: str) -> UserError:
    return UserError("bad-options", "The options can not be used", detail + ".", hint)
