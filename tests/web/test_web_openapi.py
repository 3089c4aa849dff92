from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_values import done

from graphcap.client.arguments import FORMATS
from graphcap.errors import STATUS
from graphcap.store.captures import Store
from graphcap.web.openapi.description import description

PAGES = {"pages.home", "pages.capture", "pages.embed", "outline.graph_outline", "pages.static_file", "operator.operator"}


def routes(app: Flask) -> set[tuple[str, str]]:
    found = set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint not in PAGES:
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            found |= {(method.lower(), path) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}
    return found


def described() -> set[tuple[str, str]]:
    return {(method, path) for path, methods in description()["paths"].items() for method in methods}


def test_every_route_is_described_and_everything_described_is_a_route(app: Flask) -> None:
    assert described() == routes(app)


def test_it_is_served(client: FlaskClient) -> None:
    body = client.get("/api/openapi.json").get_json()
    assert body == msgspec.json.decode(msgspec.json.encode(description()))
    assert body["openapi"].startswith("3.1")
    assert [server["url"] for server in body["servers"]] == ["/"]


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list | tuple) else set()


def test_references_resolve_and_no_schema_is_idle() -> None:
    schemas = {f"#/components/schemas/{name}" for name in description()["components"]["schemas"]}
    assert references(description()) == schemas


def test_parameters_in_paths_are_declared_and_operations_have_names_of_their_own() -> None:
    names = set()
    for path, methods in description()["paths"].items():
        for operation in methods.values():
            declared = {p["name"] for p in operation["parameters"] if p["in"] == "path"}
            assert declared == set(re.findall(r"\{(\w+)\}", path))
            names.add(operation["operationId"])
    assert len(names) == len(described())


def test_every_format_a_graph_can_be_had_in_is_described(client: FlaskClient, store: Store) -> None:
    operation = description()["paths"]["/api/captures/{id}/graphs/{gid}/export/{format}"]["get"]
    formats = next(each["schema"]["enum"] for each in operation["parameters"] if each["name"] == "format")
    body = client.get(f"/api/captures/{done(store).id}/graphs/export.0/export/gif").get_json()
    assert body["title"] == "There is no such format" and body["hint"] == f"There are {', '.join(formats)}."
    assert {"html", *formats} == set(FORMATS)  # of `graphcap export`


def test_error_codes_are_known() -> None:
    for methods in description()["paths"].values():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert {STATUS[code] for code in answer["description"].split(", ")} == {int(status)}


def valid(value: Any, schema: dict[str, Any]) -> bool:
    """As much of JSON Schema as our descriptions use; an unknown word fails."""
    unknown = set(schema) - WORDS - {"title", "description", "default"}
    assert not unknown, unknown
    return all(WORDS_CHECK[word](value, schema[word], schema) for word in schema if word in WORDS_CHECK)


TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def of_type(value: Any, name: str) -> bool:
    if name == "null":
        return value is None
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def of_object(value: Any, properties: dict[str, Any]) -> bool:
    return not isinstance(value, dict) or all(valid(value[name], sub) for name, sub in properties.items() if name in value)


def closed(value: Any, extra: Any, schema: dict[str, Any]) -> bool:
    if not isinstance(value, dict):
        return True
    rest = set(value) - set(schema.get("properties", {}))
    return not rest if extra is False else extra is True or all(valid(value[name], extra) for name in rest)


WORDS_CHECK: dict[str, Any] = {
    "$ref": lambda value, ref, _: valid(value, description()["components"]["schemas"][ref.rsplit("/", 1)[1]]),
    "type": lambda value, name, _: of_type(value, name),
    "enum": lambda value, members, _: value in members,
    "anyOf": lambda value, options, _: any(valid(value, option) for option in options),
    "items": lambda value, item, _: item is False or not isinstance(value, list) or all(valid(v, item) for v in value),
    "required": lambda value, names, _: not isinstance(value, dict) or set(names) <= set(value),
    "properties": lambda value, properties, _: of_object(value, properties),
    "additionalProperties": closed,
}
WORDS = {*WORDS_CHECK, "prefixItems", "minItems", "maxItems", "format"}


PATHS = [
    "/api/captures/{id}",
    "/api/captures/{id}/source",
    "/api/captures/{id}/log",
    "/api/captures/{id}/breaks",
    "/api/captures/{id}/guards",
    "/api/captures/{id}/operators",
    "/api/captures/{id}/trace/{gid}/{name}?how=ancestors",
    "/api/captures/{id}/links/{gid_a}/{gid_b}",
    "/api/captures/{id}/graphs/{gid}",
    "/api/captures/{id}/graphs/{gid}/nodes/{name}",
    "/api/captures/{id}/graphs/{gid}/text",
    "/api/examples",
    "/api/server",
    "/healthz",
]


@pytest.mark.parametrize("path", PATHS)
def test_answers_are_as_described(client: FlaskClient, store: Store, path: str) -> None:
    body = client.get(
        path.format(id=done(store).id, gid="export.0", gid_a="export.0", gid_b="export.0/text", name="cond")
    ).get_json()
    schema = description()["paths"][path.partition("?")[0]]["get"]["responses"]["200"]["content"]["application/json"][
        "schema"
    ]
    assert valid(body, schema)
    assert not valid([body], schema)
    named = description()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    assert set(body) == set(named["properties"])
