"""A submission opened as the kind of file it is: the targets found in it, or why there are none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import torch

from graphcap.capture.failures import failure_of, trace_text
from graphcap.capture.find.code.importing import Imported, import_file
from graphcap.capture.find.inputs import InputsError
from graphcap.capture.find.named import few_of
from graphcap.capture.find.notebook.told import in_cells
from graphcap.capture.find.opening.pickled import open_pickle
from graphcap.capture.find.opening.pt2 import open_pt2
from graphcap.capture.find.opening.torchscript import open_torchscript
from graphcap.capture.find.signature import NOTHING
from graphcap.capture.find.targets import Finding, Scene, bad_inputs, find_targets, with_second
from graphcap.capture.find.weights.fitting import with_weights
from graphcap.capture.find.weights.weights import open_weights
from graphcap.graph.document import Failure, Options


def load_submission(
    path: Path, kind: str, options: Options, users: Mapping[str, str], guessed: Mapping[str, str] = NOTHING
) -> Finding:
    """Opens the file as what it is: see `CODE` and `OPENED`. Never raises for what the person's code does.

    `guessed`: see Request.
    """
    try:
        finding = CODE[kind](path, options, users, guessed) if kind in CODE else OPENED[kind](path, options, users)
        if kind in ("pt2", "torchscript", "pickle"):  # of code, the rules do it
            finding = with_second(finding, options.second_inputs)
    except InputsError as error:
        return Finding(failures=(bad_inputs(error),))
    return finding


def _python(path: Path, options: Options, users: Mapping[str, str], guessed: Mapping[str, str]) -> Finding:
    imported = import_file(path, users, meta=options.meta, main_part=not (options.inputs + options.construct).strip())
    if imported.error is not None and not imported.calls + imported.called:
        return Finding(failures=(failure_of(imported.error, users),))
    scene = Scene(
        module=imported.module,
        calls=imported.calls,
        calls_left_out=imported.calls_left_out,
        called=imported.called,
        inputs=options.inputs,
        users=users,
        meta=options.meta,
        second_inputs=options.second_inputs,
        construct=options.construct,
        guessed=guessed,
    )
    finding = _passed_over(with_weights(find_targets(scene), path, users), imported, users)
    if imported.error is not None and finding.failures and not imported.calls:
        return Finding(failures=(failure_of(imported.error, users),))
    return finding if imported.error is None else _stopped(finding, imported, users)


def _passed_over(finding: Finding, imported: Imported, users: Mapping[str, str]) -> Finding:
    """With what stopped cells of a notebook: beside what the others made; before it, where they made no model."""
    if not imported.passed_over:
        return finding
    for error in imported.passed_over:
        sys.stderr.write(trace_text(error))
    failures = tuple(failure_of(error, users) for error in imported.passed_over)
    told = few_of([_words(failure) for failure in failures])
    finding = finding.saying(f"stopped cells: {told}")
    if not finding.failures:
        return finding
    made = any(_is_module(each) for each in vars(imported.module).values())
    if not made:
        return Finding(failures=(*failures, *finding.failures))
    return Finding(failures=(*finding.failures, *(msgspec.structs.replace(failure, hints=()) for failure in failures)))


def _is_module(value: object) -> bool:
    return isinstance(value, torch.nn.Module) or (isinstance(value, type) and issubclass(value, torch.nn.Module))


def _words(failure: Failure) -> str:
    said = failure.message.splitlines()[0][:200] if failure.message else ""
    return f"{failure.type}: {said}" + (f" ({failure.frame.words()})" if failure.frame else "")


def _stopped(finding: Finding, imported: Imported, users: Mapping[str, str]) -> Finding:
    """The script ended in an exception after a call was seen, often inside that call: the call is still shown."""
    assert imported.error is not None
    sys.stderr.write(trace_text(imported.error))
    failure = failure_of(imported.error, users)
    where = f" at {failure.frame.words()}" if failure.frame else ""
    first = failure.message.splitlines()[0] if failure.message else ""
    return finding.saying(f"the script then stopped{where}: {failure.type}: {first}")


def _notebook(path: Path, options: Options, users: Mapping[str, str], guessed: Mapping[str, str]) -> Finding:
    """The Python of its cells, which lies beside it."""
    return in_cells(path, _python(path.with_name(f"{path.name}.py"), options, users, guessed))


CODE: dict[str, Callable[[Path, Options, Mapping[str, str], Mapping[str, str]], Finding]] = {
    "py": _python,
    "ipynb": _notebook,
}
OPENED: dict[str, Callable[[Path, Options, Mapping[str, str]], Finding]] = {
    "pt2": open_pt2,
    "torchscript": open_torchscript,
    "pickle": open_pickle,
    "weights": lambda path, options, _users: Finding(failures=(open_weights(path, options.parameter_statistics),)),
}
"""What opens each kind of file that is no code."""
