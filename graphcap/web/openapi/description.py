"""Builds the OpenAPI document from the table of operations and the types of their answers."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec

import graphcap
from graphcap.errors import STATUS
from graphcap.graph.document import Options
from graphcap.web.api.exports import FORMATS
from graphcap.web.openapi.operations import OPERATIONS, PARAMETERS, Operation, Query
from graphcap.web.problems import Problem

REF = "#/components/schemas/{name}"
PROBLEM = {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}}


@functools.cache
def description() -> dict[str, Any]:
    """The whole document."""
    types = [op.answer for op in OPERATIONS.values() if isinstance(op.answer, type)]
    _, components = msgspec.json.schema_components([*types, Problem, Options], ref_template=REF)
    paths: dict[str, dict[str, Any]] = {}
    for (method, path), operation in OPERATIONS.items():
        paths.setdefault(path, {})[method] = _operation(method, path, operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "graphcap",
            "version": graphcap.__version__,
            "description": "What PyTorch's compiler stack sees of a model, stage by stage.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"deleteToken": {"type": "http", "scheme": "bearer", "description": "The delete_token."}},
        },
    }


def _operation(method: str, path: str, operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": "_".join([method, *re.findall(r"[a-z]+", path.removeprefix("/api"))]),
        "parameters": [_path_parameter(name) for name in re.findall(r"\{(\w+)\}", path)],
        "responses": {str(operation.status): _response(operation), **_errors(operation)},
    }
    if operation.description:
        found["description"] = operation.description
    if operation.token:
        found["security"] = [{"deleteToken": []}]
    found["parameters"] += [_query(name, query) for name, query in operation.query.items()]
    if method == "post" and path in ("/api/captures", "/api/look"):
        found["requestBody"] = {"required": True, "content": _submission()}
    if (method, path) == ("post", "/api/documents"):
        file = {"schema": {"type": "string", "format": "binary"}}
        found["requestBody"] = {"required": True, "content": {"application/gzip": file}}
    return found


def _path_parameter(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    if name == "format":
        schema["enum"] = list(FORMATS)
    return {"name": name, "in": "path", "required": True, "description": PARAMETERS[name], "schema": schema}


def _query(name: str, query: Query) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", **({"enum": list(query.values)} if query.values else {})}
    return {"name": name, "in": "query", "required": query.required, "description": query.description, "schema": schema}


def _response(operation: Operation) -> dict[str, Any]:
    if operation.answer is None:
        return {"description": operation.summary}
    if isinstance(operation.answer, str):
        return {"description": operation.summary, "content": {operation.answer: {}}}
    schema = {"$ref": REF.format(name=operation.answer.__name__)}
    return {"description": operation.summary, "content": {"application/json": {"schema": schema}}}


def _errors(operation: Operation) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in (*operation.errors, "internal"):
        by_status.setdefault(STATUS[code], []).append(code)
    return {
        str(status): {"description": ", ".join(codes), "content": PROBLEM} for status, codes in sorted(by_status.items())
    }


def _submission() -> dict[str, Any]:
    options = {"$ref": REF.format(name="Options")}
    code = {
        "type": "object",
        "required": ["code"],
        "additionalProperties": False,
        "properties": {"code": {"type": "string"}, "name": {"type": "string"}, "options": options},
    }
    form = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "array", "items": {"type": "string", "contentMediaType": "application/octet-stream"}},
            "options": options,
        },
    }
    encoded = {"options": {"contentType": "application/json"}}
    return {"application/json": {"schema": code}, "multipart/form-data": {"schema": form, "encoding": encoded}}
