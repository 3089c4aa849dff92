"""The JSON Schema of the document, generated: ``python -m graphcap.graph.schema`` rewrites ``schema.json``."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from graphcap.graph.document import SCHEMA, GraphDocument

PATH = Path(__file__).with_name("schema.json")


def generate() -> str:
    """The schema as the text of `schema.json`."""
    schema = msgspec.json.schema(GraphDocument)
    schema["$id"] = SCHEMA
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    PATH.write_text(generate(), encoding="utf-8")
    print(f"wrote {PATH}")
