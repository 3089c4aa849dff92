"""The machine-readable description of the API, served at /api/openapi.json."""

from __future__ import annotations

from flask import Blueprint, Response

from graphcap.web.answering import answer
from graphcap.web.openapi.description import description

blueprint = Blueprint("openapi", __name__)


@blueprint.get("/api/openapi.json")
def openapi() -> Response:
    """OpenAPI 3.1."""
    return answer(description())
