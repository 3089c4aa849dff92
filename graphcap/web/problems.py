"""Every error as an answer: `application/problem+json` for machines, a page for people. Unknown ones are only logged."""

from __future__ import annotations

import secrets

import msgspec
from flask import Flask, Response, current_app, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from graphcap.errors import STATUS, UserError
from graphcap.web.requests import drain
from graphcap.web.services import services

RETRY_AFTER_SECONDS = 10  # a small capture takes about this long, and with it a place in the queue becomes free

UNREAD = (403, 413, 429)
"""Statuses that may be answered before the body was read."""

MACHINES = ("/api", "/healthz", "/metrics", "/static", "/plotly")
"""Addresses that answer errors as JSON."""

CODES = {status: code for code, status in reversed(STATUS.items())}
"""HTTP status -> the first code that has it."""


class Problem(msgspec.Struct, frozen=True):
    """The one shape of every error."""

    code: str
    title: str
    status: int
    detail: str = ""
    hint: str = ""
    type: str = "about:blank"


def install(app: Flask) -> None:
    """Handlers for what is raised on purpose, by Flask, and by mistake."""
    app.register_error_handler(UserError, _user_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _internal_error)


def _user_error(error: Exception) -> Response:
    assert isinstance(error, UserError)
    if error.status in UNREAD:
        drain()
    problem = Problem(error.code, error.title, error.status, error.detail, error.hint)
    return respond(problem, error.retry_after or RETRY_AFTER_SECONDS)


def _http_error(error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.response is not None or (error.code or 500) < 400:
        return error.get_response()  # type: ignore[return-value]
    if isinstance(error, RequestEntityTooLarge):
        drain()
        return respond(_too_large())
    if isinstance(error, MethodNotAllowed):
        response = respond(_not_allowed(error))
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
        return response
    if error.code == 404:
        detail = f"There is nothing at {request.path[:200]}."
        return respond(Problem("not-found", "There is nothing here", 404, detail, "Check the address."))
    code = CODES.get(error.code or 500, "bad-request" if (error.code or 500) < 500 else "internal")
    return respond(Problem(code, error.name, STATUS[code], error.description or ""))


def _internal_error(error: Exception) -> Response:
    if type(error).__module__.startswith("gunicorn.http."):  # it read a body that is not as the headers say
        detail = f"The body of the request is broken: {error}"[:200]
        return respond(Problem("bad-request", "This request cannot be read", 400, detail, "Send it again."))
    number = secrets.token_hex(4)
    # The rule, not the path: names of nodes are people's own.
    current_app.logger.error("error %s at %s %s", number, request.method, request.url_rule, exc_info=error)
    hint = f"Try again. If it stays so, tell whoever runs this server: error {number}, its log has the rest."
    return respond(Problem("internal", "This is a fault of the server", 500, "Something failed that should not.", hint))


def _too_large() -> Problem:
    limit = request.max_content_length or 0
    if request.content_length is not None and request.content_length <= limit:
        return _form_too_large()
    size = f"It has {request.content_length:,} bytes" if request.content_length else "Its size was not announced"
    upload = services().settings.upload_mib
    return Problem(
        "too-large",
        "This is too large",
        413,
        f"{size}; this request may have {limit:,} bytes, and a file at most {upload} MiB.",
        "Leave data and weights out: a capture needs the model's code and the shapes of its inputs.",
    )


def _form_too_large() -> Problem:
    field, parts = request.max_form_memory_size, request.max_form_parts
    detail = f"A field that is no file may have {field:,} bytes, and a form {parts:,} parts."
    return Problem(
        "too-large", "The form is too large", 413, detail, "Send the code as a file: curl -F file=@model.py ADDRESS."
    )


def _not_allowed(error: MethodNotAllowed) -> Problem:
    methods = ", ".join(sorted(error.valid_methods or ()))
    detail = f"{request.method} is not allowed at {request.path[:200]}; {methods} are."
    return Problem("method-not-allowed", "This address does not do that", 405, detail)


def respond(problem: Problem, retry_after: int = RETRY_AFTER_SECONDS) -> Response:
    """The answer for a problem, in the form its address speaks; `retry_after` (seconds) where trying again helps."""
    if request.path.startswith(MACHINES):
        response = Response(msgspec.json.encode(problem), problem.status, content_type="application/problem+json")
    else:
        page = render_template("error.html", problem=problem, assets=services().assets.base)
        response = Response(page, problem.status, content_type="text/html; charset=utf-8")
    response.headers["Cache-Control"] = "no-store"
    if problem.status in (429, 503):
        response.headers["Retry-After"] = str(retry_after)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = 'Basic realm="graphcap operator", charset="UTF-8"'
    return response
