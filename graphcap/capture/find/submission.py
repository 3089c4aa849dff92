"""A submission loaded: the targets found in it, or why there are none."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from pathlib import Path

from graphcap.capture.failures import failure_of, trace_text
from graphcap.capture.find.inputs import InputsError
from graphcap.capture.find.load import Imported, import_file
from graphcap.capture.find.pt2 import open_pt2
from graphcap.capture.find.targets import Candidate, Finding, Scene, bad_inputs, find_targets, with_second
from graphcap.graph.document import Failure, Options


@dataclasses.dataclass(frozen=True)
class Submission:
    """Candidates, or failures that say why there are none."""

    candidates: tuple[Candidate, ...] = ()
    failures: tuple[Failure, ...] = ()


def load_submission(path: Path, kind: str, options: Options, users: Mapping[str, str]) -> Submission:
    """Opens a `.pt2`, or imports a `.py` and applies the rules. Never raises for what the person's code does."""
    if kind == "ipynb":  # the Python of its cells lies beside it
        return load_submission(path.with_name(f"{path.name}.py"), "py", options, users)
    if kind not in ("py", "pt2"):
        return Submission(failures=(Failure("not-opened", f"{path.name}: files of this kind ({kind}) are not opened yet"),))
    finding = _program(path, options) if kind == "pt2" else _python(path, options, users)
    return Submission(finding.candidates, finding.failures)


def _program(path: Path, options: Options) -> Finding:
    try:
        return with_second(open_pt2(path), options.second_inputs)
    except InputsError as error:
        return Finding(failures=(bad_inputs(error),))


def _python(path: Path, options: Options, users: Mapping[str, str]) -> Finding:
    imported = import_file(path, users, meta=options.meta, main_part=not (options.inputs + options.construct).strip())
    if imported.error is not None and not imported.calls:
        return Finding(failures=(failure_of(imported.error, users),))
    scene = Scene(
        module=imported.module,
        calls=imported.calls,
        calls_left_out=imported.calls_left_out,
        inputs=options.inputs,
        users=users,
        meta=options.meta,
        second_inputs=options.second_inputs,
        construct=options.construct,
    )
    finding = find_targets(scene)
    return finding if imported.error is None else _stopped(finding, imported, users)


def _stopped(finding: Finding, imported: Imported, users: Mapping[str, str]) -> Finding:
    """The script ended in an exception after a call was seen, often inside that call: the call is still shown."""
    assert imported.error is not None
    sys.stderr.write(trace_text(imported.error))
    failure = failure_of(imported.error, users)
    where = f" at line {failure.frame.line}" if failure.frame else ""
    words = f"; the script then stopped{where}: {failure.type}: {failure.message.splitlines()[0] if failure.message else ''}"
    candidates = tuple(dataclasses.replace(c, rule=c.rule + words) for c in finding.candidates)
    return Finding(candidates, finding.failures)
