"""Weights that came with the code, loaded into the model it makes; what does not fit is a failure with the whole list."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import torch

from graphcap.capture.find.opening.package import root_of
from graphcap.capture.find.opening.weights import State, WeightsError, load_into, misfits, read_state, weights_beside
from graphcap.capture.find.targets import Candidate, Finding
from graphcap.graph.document import Failure

_LEAVE_OUT = (
    "Leave the file out to capture the model as its code makes it, "
    "or construct the model with the arguments it was trained with."
)


def with_weights(finding: Finding, entry: Path, users: Mapping[str, str]) -> Finding:
    """Each file of weights in the one model that it fits. The code that opens a file by its name does it itself."""
    root = root_of(entry, users.get(str(entry), entry.name))
    code = "\n".join(path.read_text("utf-8", "replace") for path in root.rglob("*.py"))
    for path in weights_beside(entry, root, code):
        submitted = str(path) in users or str(path.resolve()) in users  # in a person's own folder other weights lie about
        if finding.candidates and submitted:
            finding = _with(finding, path)
    return finding


def _with(finding: Finding, path: Path) -> Finding:
    try:
        state = read_state(path)
    except WeightsError as error:
        return Finding(failures=(Failure("bad-weights", str(error), hints=(_LEAVE_OUT,)),))
    found, reports = [], []
    for candidate in finding.candidates:
        fitted, wrong = _fitted(candidate, state, path)
        found.append(fitted)
        reports += [wrong] if wrong is not None else []
    if "" in reports or not reports:
        return dataclasses.replace(finding, candidates=tuple(found))
    message = f"{path.name} does not fit {finding.candidates[0].loaded.title}, which its code makes:\n{reports[0]}"
    return Finding(failures=(Failure("weights-do-not-fit", message, hints=(_LEAVE_OUT,)),))


def _fitted(candidate: Candidate, state: State, path: Path) -> tuple[Candidate, str | None]:
    model = candidate.loaded.model
    if not isinstance(model, torch.nn.Module) or candidate.loaded.program is not None:
        return candidate, None
    named, wrong = misfits(model, state)
    if wrong:
        return candidate, wrong
    load_into(model, named)
    return dataclasses.replace(candidate, rule=f"{candidate.rule}; {path.name} loaded into it ({len(named)} tensors)"), ""
