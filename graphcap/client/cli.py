"""The command `graphcap`: answers are on standard output, all else that it says on standard error."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.markup import escape

from graphcap.client.arguments import parser
from graphcap.errors import UserError
from graphcap.graph.document import RUN_STAGES, Failure, Options
from graphcap.intake.options import decode_options

if TYPE_CHECKING:  # it brings Flask, which `--help` need not wait for
    from graphcap.client.captured import Capture

SAID = Console(stderr=True, highlight=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; its exit code."""
    asked = parser().parse_args(arguments)
    try:
        return COMMANDS[asked.command](asked)
    except UserError as error:
        _say_error(error.title, error.detail, error.hint)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


def _capture(asked: argparse.Namespace) -> int:
    from graphcap.client.captured import Capture
    from graphcap.client.making.progress import Progress
    from graphcap.client.making.running import capture_files

    options = _options(asked)
    silent = asked.json or asked.quiet
    with Progress(False if silent else None, options.stages) as progress:
        file = capture_files(
            asked.files,
            options,
            heard=progress.heard,
            printed=(lambda text: None) if silent else progress.printed,
            route_seconds=asked.timeout,
            programs_to=asked.programs,
        )
    capture = Capture(file)
    for failure in capture.failures:
        _say_failure(failure)
    path = asked.output or Path(f"{asked.files[0].stem}.graphcap")
    if capture.targets:
        _write(path, lambda: capture.save(path))
    if asked.json:
        sys.stdout.write(msgspec.json.encode(_summary(capture, path)).decode() + "\n")
    elif capture.targets and not asked.quiet:
        SAID.print(f"{path}: {_counts(capture)}. graphcap open {path}", markup=False, soft_wrap=True)
    stages = [stage for target in capture.targets for stage in target.stages.values()]
    nothing = not any(stage.status == "done" for stage in stages)
    if nothing or not (silent or SAID.is_terminal):  # on a terminal the progress has told them
        _say_failed(stage.failures[0] for stage in stages if stage.failures)
    return 1 if nothing or (asked.strict and any(stage.status == "failed" for stage in stages)) else 0


def _say_failed(failures: Iterable[Failure]) -> None:
    """Of each stage; most fail for the same reason, which is told once."""
    for failure in {failure.message: failure for failure in failures}.values():
        _say_failure(failure)


def _options(asked: argparse.Namespace) -> Options:
    stages = [name.strip() for name in asked.stages.split(",") if name.strip()]
    given = {field: getattr(asked, field) for field in Options.__struct_fields__ if hasattr(asked, field)}
    return decode_options({**given, "stages": stages or RUN_STAGES})


def _summary(capture: Capture, path: Path) -> dict[str, object]:
    return {
        "file": str(path) if capture.targets else None,
        "torch": capture.torch,
        "seconds": capture.file.seconds,
        "failures": [_failure(each) for each in capture.failures],
        "targets": [
            {
                "id": target.id,
                "title": target.title,
                "rule": target.rule,
                "stages": [
                    {
                        "id": name,
                        "status": stage.status,
                        "seconds": stage.seconds,
                        "reason": stage.reason,
                        "breaks": len(stage.breaks),
                        "graphs": [{"id": graph.id, "nodes": len(graph.nodes)} for graph in stage.record.graphs],
                        "failures": [_failure(each) for each in stage.failures],
                    }
                    for name, stage in target.stages.items()
                ],
            }
            for target in capture.targets
        ],
    }


def _failure(failure: Failure) -> dict[str, object]:
    line = None if failure.frame is None else f"{failure.frame.file}:{failure.frame.line}"
    place = None if failure.frame is None else failure.frame.words()
    return {"type": failure.type, "message": failure.message, "line": line, "place": place, "hints": list(failure.hints)}


def _counts(capture: Capture) -> str:
    stages = [stage for target in capture.targets for stage in target.stages.values()]
    counts = {status: sum(stage.status == status for stage in stages) for status in ("done", "failed", "skipped")}
    return ", ".join(f"{count} stage{'s' if count > 1 else ''} {status}" for status, count in counts.items() if count)


def _open(asked: argparse.Namespace) -> int:
    from graphcap.client.captured import load
    from graphcap.client.viewer import show

    def ready(address: str) -> None:
        SAID.print(f"{address} (Ctrl+C ends it)", markup=False, soft_wrap=True)
        if not asked.no_browser:
            webbrowser.open(address)

    show(load(asked.file).file, asked.port, ready)
    return 0


def _push(asked: argparse.Namespace) -> int:
    from graphcap.client.captured import load

    pushed = load(asked.file).push(asked.server)
    sys.stdout.write((msgspec.json.encode(pushed).decode() if asked.json else pushed.url) + "\n")
    if not asked.json:
        SAID.print(f"delete token: {pushed.delete_token}", markup=False, soft_wrap=True)
    return 0


def _export(asked: argparse.Namespace) -> int:
    from graphcap.client.captured import load

    capture = load(asked.file)
    if asked.format != "html" and not asked.graph:
        known = [graph.id for target in capture.targets for stage in target.stages.values() for graph in stage.record.graphs]
        raise UserError("bad-request", "Which graph?", f"{asked.format} is of one graph.", f"--graph one of {known}")
    data = capture.export(asked.format, "" if asked.format == "html" else asked.graph)
    if asked.output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        _write(asked.output, lambda: asked.output.write_bytes(data))
    return 0


def _serve(asked: argparse.Namespace) -> int:
    from graphcap.web import create_app
    from graphcap.web.operator.log import QuietRequests

    create_app().run(host=asked.host, port=asked.port, threaded=True, request_handler=QuietRequests)
    return 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "capture": _capture,
    "open": _open,
    "push": _push,
    "export": _export,
    "serve": _serve,
}


def _write(path: Path, do: Callable[[], object]) -> None:
    try:
        do()
    except OSError as error:
        raise UserError("bad-request", f"{path} can not be written", f"{error.strerror}.", "Choose another -o.") from None


def _say_failure(failure: Failure) -> None:
    where = "" if failure.frame is None else f" ({failure.frame.file}, {failure.frame.words()})"
    _say_error(f"{failure.type}{where}", failure.message, "\n".join(failure.hints))


def _say_error(title: str, detail: str, hint: str) -> None:
    SAID.print(f"[bold red]{escape(title)}[/]", soft_wrap=True)
    for text in (detail, hint):
        if text:
            SAID.print(text, markup=False, soft_wrap=True)
