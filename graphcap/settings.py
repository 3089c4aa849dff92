"""Every setting once: name, type, default, why. Read from the environment as `GRAPHCAP_` + the name in capitals."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MIB = 1024 * 1024


def _setting(default: Any, why: str, least: int = 1) -> Any:
    """`least` is the smallest number that is taken."""
    return dataclasses.field(default=default, metadata={"why": why, "least": least})


@dataclasses.dataclass(frozen=True)
class Settings:
    """One value per setting; see each one's `why` (also in docs/settings.md, which a test holds against this file)."""

    data_dir: Path = _setting(Path(".graphcap"), "Everything on disk lies under this folder.")
    database_url: str = _setting("", "SQLAlchemy URL; empty: SQLite in the data folder.")
    hosts: str = _setting(
        "", "Names this server is reached by, with commas. Needed where it listens on 127.0.0.1 behind a proxy."
    )
    slots: int = _setting(1, "Captures that run side by side; each may take a core and the memory limit.")
    queue: int = _setting(16, "Captures that may wait; one more is answered 503 with Retry-After.")
    capture_wall_seconds: int = _setting(
        300, "Wall clock of a whole capture, in seconds: two routes at their limit and the others beside."
    )
    route_wall_seconds: int = _setting(
        120,
        "Wall clock of one route, in seconds: an endless forward ends here; the joint graph of a 48-layer GPT takes 36 s.",
    )
    routes_at_once: int = _setting(
        3,
        "Routes of one capture that run side by side: eager, dynamo, export, aot. Each may take a core; three keep two cores"
        " busy to the end.",
    )
    capture_cpu_seconds: int = _setting(300, "CPU time of each process of a capture, in seconds, against loops.")
    capture_memory_mib: int = _setting(
        4096, "Address space each process of a capture may add to what the zygote has, in MiB."
    )
    capture_files_mib: int = _setting(
        64,
        "What a capture may write, in MiB, all files together; outside tier namespaces it is looked up four times a second.",
    )
    capture_files: int = _setting(4096, "Files and folders a capture may make, in tier namespaces.")
    capture_open_files: int = _setting(256, "Open descriptors of a capture; torch itself needs under 100.")
    capture_processes: int = _setting(
        64, "Processes and threads of a capture: it needs seven, and threads of torch's own, one a core."
    )
    log_kib: int = _setting(64, "Printed output kept per capture, in KiB; the rest is counted.")
    message_mib: int = _setting(64, "Largest single stage, in MiB; a 10,000-node joint graph takes about 10.")
    stage_nodes: int = _setting(200_000, "Nodes of one stage; the page is made for 100,000.")
    result_mib: int = _setting(256, "Largest whole result of a capture, in MiB, against floods.")
    zygote_captures: int = _setting(
        200, "Captures of one zygote before another, warmed ahead, takes its place: what leaks in it goes with it."
    )
    upload_mib: int = _setting(64, "Largest upload; code is kilobytes, a .pt2 carries its weights.")
    code_kib: int = _setting(1024, "Largest .py file or pasted code.")
    client_captures: int = _setting(
        4, "Captures of one client address that may wait and run at once; 0: no limit. Not for this machine itself.", 0
    )
    client_captures_per_minute: int = _setting(
        20, "Submissions of one client address in a minute; 0: no limit. Not for this machine itself.", 0
    )
    client_streams: int = _setting(
        20, "Event streams of one client address in each worker process; 0: no limit. Not for this machine itself.", 0
    )
    trusted_proxies: int = _setting(
        0, "Proxies in front that add to X-Forwarded-For; that many of its last entries are believed.", 0
    )
    unsafe_no_jail: bool = _setting(
        False, "1: where there is no jail, run what this machine itself sends, unconfined. Only for your own code."
    )
    operator_token: str = _setting("", "Password of the page /operator; empty: the page is for this machine itself only.")

    @property
    def sqlalchemy_url(self) -> str:
        """The database to open."""
        return self.database_url or f"sqlite:///{self.data_dir.resolve() / 'graphcap.sqlite3'}"


def from_environment(environ: Mapping[str, str] = os.environ) -> Settings:
    """Settings with the environment's values; a value that does not parse, or a name nobody knows, raises ValueError."""
    values: dict[str, Any] = {}
    known = {f"GRAPHCAP_{field.name.upper()}": field for field in dataclasses.fields(Settings)}
    for name, text in environ.items():
        if not name.startswith("GRAPHCAP_"):
            continue
        if name not in known:
            raise ValueError(f"{name} is no setting of graphcap; the settings are {', '.join(sorted(known))}")
        field = known[name]
        values[field.name] = _parse(name, text, type(field.default), field.metadata["least"])
    return Settings(**values)


def _parse(name: str, text: str, kind: type, least: int) -> Any:
    if kind is bool:
        if text.strip() not in ("0", "1"):
            raise ValueError(f"{name}={text!r}: expected 1 for yes or 0 for no")
        return text.strip() == "1"
    if kind is int:
        if not (text.isascii() and text.strip().isdigit()) or int(text) < least:
            raise ValueError(f"{name}={text!r}: expected a whole number of at least {least}")
        return int(text)
    return Path(text) if issubclass(kind, Path) else text
