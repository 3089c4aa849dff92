"""What files hold that come with a model and have no graph in them, in words: indexes, configurations, pointers."""

from __future__ import annotations

from typing import Any

import msgspec

from graphcap.intake.upload import Upload

MAX_READ = 16 << 20  # bytes of JSON; the index of a checkpoint of 100,000 tensors has a tenth of that
MAX_NAMED = 5
MAX_NAME = 80  # characters
CONFIG = ("model_type", "architectures", "transformers_version", "_class_name")
"""Keys that tell the configuration of a model of Hugging Face's packages; the last is diffusers'."""


def is_index(upload: Upload) -> bool:
    """`model.safetensors.index.json`, by its content."""
    return b'"weight_map"' in upload.data and isinstance(_object(upload).get("weight_map"), dict)


def index_told(upload: Upload) -> str:
    """How many tensors it places, and in which files."""
    places = _object(upload)["weight_map"].values()
    parts = sorted({str(name)[:MAX_NAME] for name in places})
    more = f" and {len(parts) - MAX_NAMED} more" if len(parts) > MAX_NAMED else ""
    files = f"file{'s' if parts[1:] else ''} {', '.join(parts[:MAX_NAMED])}{more}" if parts else "no file"
    return f"It says which of {len(places):,} tensors lies in which file ({files}), and holds none of them, and no graph."


def is_config(upload: Upload) -> bool:
    """`config.json` of a model of Hugging Face's packages."""
    return any(f'"{key}"'.encode() in upload.data for key in CONFIG) and any(key in _object(upload) for key in CONFIG)


def config_told(upload: Upload) -> str:
    """Of which model."""
    found = _object(upload)
    named = found.get("architectures") or found.get("_class_name") or found.get("model_type")
    name = named[0] if isinstance(named, list) and named else named
    what = f"a {name[:MAX_NAME]}" if isinstance(name, str) else "a model"
    return f"It holds the sizes of {what}; its code, which makes the graph, is in a package such as transformers."


def _object(upload: Upload) -> dict[str, Any]:
    """The JSON object that the file is; an empty one for anything else."""
    if len(upload.data) > MAX_READ or upload.data.lstrip()[:1] != b"{":
        return {}
    try:
        found = msgspec.json.decode(upload.data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}
    return found if isinstance(found, dict) else {}
