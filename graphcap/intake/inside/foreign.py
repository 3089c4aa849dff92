"""What files hold that come with a model and have no graph in them, in words: indexes, configurations, pointers."""

from __future__ import annotations

import msgspec

from graphcap.intake.upload import Upload

MAX_READ = 4 << 20  # bytes of JSON, which take 20 times as much once they are read; 100 for each of 40,000 tensors
MAX_NAMED = 5
MAX_NAME = 80  # characters
CONFIG = ("model_type", "architectures", "transformers_version", "_class_name")
"""Keys that tell the configuration of a model of Hugging Face's packages; the last is diffusers'."""


class _Facts(msgspec.Struct, frozen=True):
    """What is looked at of the JSON; all else in it is passed over without being made."""

    weight_map: dict[str, str] | None = None
    model_type: str | None = None
    architectures: list[object] | None = None
    transformers_version: str | None = None
    diffused: str | None = msgspec.field(default=None, name="_class_name")


def is_index(upload: Upload) -> bool:
    """`model.safetensors.index.json`, by its content."""
    return b'"weight_map"' in upload.data and _facts(upload).weight_map is not None


def index_told(upload: Upload) -> str:
    """How many tensors it places, and in which files."""
    places = (_facts(upload).weight_map or {}).values()
    parts = sorted({name[:MAX_NAME] for name in places})
    more = f" and {len(parts) - MAX_NAMED} more" if len(parts) > MAX_NAMED else ""
    files = f"file{'s' if parts[1:] else ''} {', '.join(parts[:MAX_NAMED])}{more}" if parts else "no file"
    return f"It says which of {len(places):,} tensors lies in which file ({files}), and holds none of them, and no graph."


def is_config(upload: Upload) -> bool:
    """`config.json` of a model of Hugging Face's packages."""
    return any(f'"{key}"'.encode() in upload.data for key in CONFIG) and _facts(upload) != _Facts()


def config_told(upload: Upload) -> str:
    """Of which model."""
    found = _facts(upload)
    name = next(iter(found.architectures or ()), None) or found.diffused or found.model_type
    what = f"a {name[:MAX_NAME]}" if isinstance(name, str) else "a model"
    return f"It holds the sizes of {what}; its code, which makes the graph, is in a package such as transformers."


def _facts(upload: Upload) -> _Facts:
    """Those of a JSON object; none of anything else."""
    if len(upload.data) > MAX_READ:
        return _Facts()
    try:
        return msgspec.json.decode(upload.data, type=_Facts)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return _Facts()
