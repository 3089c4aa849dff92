"""Opens a `.pt2` file; what is not one is refused by what it really is."""

from __future__ import annotations

import dataclasses
import logging
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch

from graphcap.capture.failures import failure_of
from graphcap.capture.find.inputs import InputsError
from graphcap.capture.find.named import few_of, remarks
from graphcap.capture.find.opening.pickled import Opened
from graphcap.capture.find.pickles.listening import listening
from graphcap.capture.find.targets import Finding, program_candidate
from graphcap.capture.find.weights.state import ZIP
from graphcap.capture.find.weights.weights import SUFFIXES
from graphcap.graph.document import Failure, Options

_OTHERS = (
    ("constants.pkl", "a TorchScript archive (torch.jit.save); only programs saved by torch.export.save can be opened"),
    (
        "data.pkl",
        "a file of torch.save (weights or a pickled module); only programs saved by torch.export.save can be opened",
    ),
)
_SAVE = "Save the program again: torch.export.save(torch.export.export(model, args), 'model.pt2')"


def open_pt2(path: Path, options: Options, users: Mapping[str, str]) -> Finding:
    """One target for the program in the file, or why there is none. Raises InputsError."""
    if (refusal := _refusal(path)) is not None:
        return Finding(failures=(refusal,))
    opened = Opened(path.parent)
    logging.getLogger("torch._export.serde.serialize").setLevel(logging.ERROR)  # what it warns of, `opened` tells
    try:
        with listening(opened.hear):
            program = torch.export.load(path)
        rule = remarks(f"the ExportedProgram in {path.name}", opened.told())
        candidate = program_candidate("t1", path.stem, program, rule, options.inputs, meta=options.meta)
    except InputsError:
        raise
    except BaseException as error:  # a file made by another torch, or by hand
        how = remarks(f"opening {path.name}", opened.told()) if opened.foreign else ""
        return Finding(failures=(failure_of(error, {}, how=how, hints=(_SAVE,)),))
    # in a person's own folder other files lie about: then the program is not among those that are known
    sent = users.values() if str(path) in users else ()
    unused = _unused(options, sorted({name for name in sent if name.endswith((".py", *SUFFIXES))}))
    return Finding((dataclasses.replace(candidate, rule=remarks(candidate.rule, *unused)),))


def _unused(options: Options, beside: list[str]) -> Iterator[str]:
    """What was given and means nothing for a program, in words for the rule."""
    if options.construct.strip():
        yield "`construct` is not used: a program is made already"
    if options.mode != "as_written":
        yield f"the mode {options.mode} is not set: a program keeps the one it was exported in"
    if beside:
        yield f"not used, as a program is whole: {few_of(beside)}"


def _refusal(path: Path) -> Failure | None:
    def refused(what: str) -> Failure:
        return Failure("not-a-pt2", f"{path.name} is {what}", hints=(_SAVE,))

    if not path.read_bytes().startswith(ZIP):
        return refused("no .pt2 archive: it is not a zip file. Was another kind of file renamed?")
    try:
        with zipfile.ZipFile(path) as archive:
            names = {name.rsplit("/", 1)[-1] for name in archive.namelist()}
            whole = {name.split("/", 1)[-1] for name in archive.namelist()}
            # cut short, it ends in an archive that was stored inside it, at some distance from the file's start
            if min(entry.header_offset for entry in archive.infolist()) != 0:
                return refused("a damaged archive: its end is missing")
            damaged = archive.testzip()
    except Exception as error:  # zipfile raises whatever broken bytes lead it to
        return refused(f"a damaged archive, perhaps cut short on its way ({error})")
    if damaged:
        return refused(f"a damaged archive: {damaged} in it is broken")
    if "archive_format" not in whole and not any(name.startswith("serialized_exported_program") for name in names):
        for name, what in _OTHERS:
            if name in names:
                return refused(what)
        return refused("a zip file, but not one that torch.export.save wrote")
    return None
