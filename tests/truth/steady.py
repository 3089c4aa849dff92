"""Error messages without what differs from run to run."""

from __future__ import annotations

import re


def first_line(type_name: str, message: str) -> list[str]:
    """[type, first line of the message]."""
    lines = [line for line in message.splitlines() if line.strip()]
    text = lines[0] if lines else f"{type_name} without a message"  # as graphcap says it
    return [type_name.rsplit(".", 1)[-1], steady(text)]


def steady(text: str) -> str:
    """Addresses, the folders of files and the order of a set of symbols are not the same in two processes."""
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"\{u\d+(?:, u\d+)*\}", lambda found: " ".join(sorted(re.findall(r"u\d+", found[0]))), text)
    return re.sub(r"(?<![\w.])/(?:[^\s'\":/]+/)+", "/", text).strip()
