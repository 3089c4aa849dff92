"""Captures themselves: state, source, printed output, breaks and guards; cancelling and deleting."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, request
from msgspec.structs import asdict

from graphcap.errors import UserError
from graphcap.graph.notebooks.cells import Cell, cells_of
from graphcap.intake.submission import SubmittedFile
from graphcap.store.records import CaptureTitle
from graphcap.web.answering import answer
from graphcap.web.api import answers, found
from graphcap.web.api.found import require_token, there
from graphcap.web.services import services

blueprint = Blueprint("captures", __name__)

MAX_IDS = 200  # the page keeps its last fifty


class Titles(msgspec.Struct, frozen=True):
    """Those there are among the ids asked for, in that order."""

    captures: tuple[CaptureTitle, ...]


class SourceFile(msgspec.Struct, frozen=True):
    """A submitted file; `text` is null for a binary one. `cells`: of a notebook's code, with their headings' lines."""

    name: str
    size: int
    text: str | None
    cells: tuple[Cell, ...]


class Sources(msgspec.Struct, frozen=True):
    """The submitted files."""

    files: tuple[SourceFile, ...]


class LogText(msgspec.Struct, frozen=True):
    """What the code printed; `cut` counts the bytes dropped at the end."""

    text: str
    cut: int


class Breaks(msgspec.Struct, frozen=True):
    """Every graph break of every target."""

    breaks: tuple[answers.Break, ...]


class Compiled(msgspec.Struct, frozen=True):
    """One frame that torch.compile compiled in a logged run, by torch's own compile id, and the times it took in seconds."""

    target: str
    id: str
    function: str
    frame: answers.Frame | None
    fragment: int | None
    recompile: int
    seconds: float | None
    phases: tuple[tuple[str, float], ...]
    nodes: int | None
    guards: int | None
    cache: str
    failure: str


class Compilations(msgspec.Struct, frozen=True):
    """What a logged run compiled, in order; empty for any other capture."""

    compilations: tuple[Compiled, ...]


class Guards(msgspec.Struct, frozen=True):
    """Every guard of every target, and what was compiled anew because some did not hold."""

    guards: tuple[answers.Guard, ...]
    recompiles: tuple[answers.Recompile, ...]


class State(msgspec.Struct, frozen=True):
    """Where a capture stands."""

    id: str
    status: str


@blueprint.get("/api/captures")
def some() -> Response:
    """For a browser's own list of recent captures; there is no list of everybody's."""
    asked = request.args.get("ids")
    if asked is None:
        raise UserError("bad-request", "Which captures?", "The parameter `ids` is missing.", "Ask for ?ids=A,B,C.")
    ids = [id for id in asked.split(",") if id]
    if len(ids) > MAX_IDS:
        raise UserError("bad-request", "Too many ids", f"{len(ids)} were sent.", f"Ask for at most {MAX_IDS} at once.")
    return answer(Titles(services().store.summaries(ids) if ids else ()))


@blueprint.get("/api/captures/<id>")
def one(id: str) -> Response:
    """The capture's state, its targets, stages and the sizes of their graphs."""
    return answer(answers.capture(found.capture(id)))


@blueprint.get("/api/captures/<id>/source")
def source(id: str) -> Response:
    """What was submitted."""
    files = there(services().store.files(id), id)
    return answer(Sources(tuple(map(_source, files))))


def _source(file: SubmittedFile) -> SourceFile:
    text = _text(file)
    return SourceFile(file.name, len(file.data), text, cells_of(file.name, text or ""))


def _text(file: SubmittedFile) -> str | None:
    if not file.name.endswith(".py"):
        return None
    return file.data.decode("utf-8", "replace")  # intake let nothing but UTF-8 through


@blueprint.get("/api/captures/<id>/log")
def log(id: str) -> Response:
    """What the code printed so far."""
    printed = there(services().store.log(id), id)
    return answer(LogText(printed.text, printed.cut))


@blueprint.get("/api/captures/<id>/breaks")
def breaks(id: str) -> Response:
    """Where Dynamo stopped."""
    stages = there(services().store.stages(id), id)
    stops = (answers.break_(target, stage.id, each) for target, stage in stages for each in stage.breaks)
    return answer(Breaks(tuple(stops)))


@blueprint.get("/api/captures/<id>/guards")
def guards(id: str) -> Response:
    """What is checked before compiled code is used again, and what was compiled anew."""
    stages = there(services().store.stages(id), id)
    checks = [each for target, stage in stages for each in answers.guards(target, stage)]
    anew = [answers.recompile(target, each) for target, stage in stages for each in stage.recompiles]
    return answer(Guards(tuple(checks), tuple(anew)))


@blueprint.get("/api/captures/<id>/compilations")
def compilations(id: str) -> Response:
    """What a logged run compiled, and how long it took."""
    compiled = [
        Compiled(target=target.id, **{**asdict(each), "frame": answers.frame(each.frame)})
        for target in found.capture(id).targets
        for each in target.compilations
    ]
    return answer(Compilations(tuple(compiled)))


@blueprint.post("/api/captures/<id>/cancel")
def cancel(id: str) -> Response:
    """Takes a queued capture off the queue, or stops a running one."""
    require_token(id)
    stopped = services().store.request_cancel(id)
    status = found.capture(id).status
    if not stopped:
        raise UserError("conflict", "This capture has ended already", f"It is {status}.", "There is nothing to cancel.")
    return answer(State(id, status), 202)


@blueprint.delete("/api/captures/<id>")
def delete(id: str) -> Response:
    """Removes the capture with everything of it."""
    require_token(id)
    services().store.delete(id)
    return Response(status=204)
