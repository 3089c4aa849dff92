"""Weights that came with the code, loaded into the model it makes; what does not fit is a failure with the whole list."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path

import torch

from graphcap.capture.find.named import few_of, remarks
from graphcap.capture.find.targets import Candidate, Finding
from graphcap.capture.find.weights.state import Read, WeightsError, parts_beside, read_state, whole_name
from graphcap.capture.find.weights.weights import SUFFIXES, load_into, misfits, weights_beside
from graphcap.graph.document import Failure

_LEAVE_OUT = (
    "Leave the file out to capture the model as its code makes it, "
    "or construct the model with the arguments it was trained with."
)


def with_weights(finding: Finding, entry: Path, users: Mapping[str, str]) -> Finding:
    """Each file of weights in the one model that it fits. The code that opens a file by its name does it itself.

    Only files that were submitted are looked at: in a person's own folder other weights lie about. What can not be read is
    left out, and told.
    """
    submitted = {Path(path) for path, name in users.items() if path == os.path.realpath(path) and name.endswith(SUFFIXES)}
    if not submitted or not finding.candidates:
        return finding
    texts = (path for path in users if path.endswith(".py") and os.path.isfile(path))  # what was run may have removed some
    code = "\n".join(Path(path).read_text("utf-8", "replace") for path in texts)
    left_out: list[str] = []
    parts: set[Path] = set()
    for path in weights_beside(Path(os.path.realpath(entry)), submitted, code):
        if path in parts:
            continue
        parts.update(others := parts_beside(path))
        try:
            read = read_state(path, others)
        except WeightsError as error:
            left_out.append(f"{users[str(path)]} ({error})")
        else:
            finding = _with(finding, path, read)
        if not finding.candidates:
            return finding
    return finding.saying(f"left out: {few_of(left_out)}" if left_out else "")


def _with(finding: Finding, path: Path, read: Read) -> Finding:
    found, reports = [], []
    for candidate in finding.candidates:
        fitted, wrong = _fitted(candidate, read, path)
        found.append(fitted)
        reports += [wrong] if wrong is not None else []
    if "" in reports or not reports:
        return dataclasses.replace(finding, candidates=tuple(found))
    message = f"{whole_name(path)} does not fit {finding.candidates[0].loaded.title}, which its code makes:\n{reports[0]}"
    return Finding(failures=(Failure("weights-do-not-fit", message, hints=(_LEAVE_OUT,)),))


def _fitted(candidate: Candidate, read: Read, path: Path) -> tuple[Candidate, str | None]:
    model = candidate.loaded.model
    if not isinstance(model, torch.nn.Module) or candidate.loaded.program is not None:
        return candidate, None
    named, wrong = misfits(model, read.state)
    if wrong:
        return candidate, wrong
    load_into(model, named)
    loaded = f"{whole_name(path)} loaded into it ({len(named)} tensors)"
    return dataclasses.replace(candidate, rule=remarks(candidate.rule, loaded, read.told())), ""
