"""Captures with real torch: through a pool, and in a fork of a process that has imported torch and nothing else."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from graphcap.graph.document import Stage
from graphcap.graph.stream import Ended, Message, Unframer, decode
from graphcap.intake.accept import accept_code
from graphcap.jobs import pipeline
from graphcap.sandbox.outcome import Outcome
from graphcap.sandbox.zygote.pool import Pool
from graphcap.sandbox.zygote.run import run
from graphcap.settings import Settings

ROOT = Path(__file__).parents[2]
SETTINGS = Settings()

COLD = """
import os, sys
from pathlib import Path
from graphcap.capture import warm
warm.one_thread()
for folder in map(Path, sys.argv[1:]):
    pid = os.fork()
    if pid == 0:
        os.chdir(folder / "code")
        for name, numbers in ((os.devnull, (0,)), (folder / "log", (1, 2)), (folder / "result", (3,))):
            opened = os.open(name, os.O_RDWR | os.O_CREAT)
            for number in numbers: os.dup2(opened, number)
        os._exit(warm.run((folder / "request").read_bytes(), folder, 3, lambda: None))
    assert os.waitpid(pid, 0)[1] == 0
"""


@dataclasses.dataclass(frozen=True)
class Captured:
    """What a capture said and printed."""

    messages: tuple[Message, ...]
    log: str
    outcome: Outcome = Outcome("ok")

    def stages(self) -> dict[tuple[str, str], Stage]:
        return {(m.target, m.stage.id): m.stage for m in self.messages if isinstance(m, Ended)}


def warm_capture(pool: Pool, code: str, stages: Sequence[str] = (), settings: Settings = SETTINGS) -> Captured:
    """In a fork of a zygote."""
    submission = accept_code(code, None, {"stages": [*stages]} if stages else None, settings)
    result, log = bytearray(), bytearray()

    def on_result(data: bytes) -> bool:
        result.extend(data)
        return True

    outcome = run(
        pool,
        msgspec.json.encode(pipeline.request_of(submission, settings)),
        [(file.name, file.data) for file in submission.files],
        limits=pipeline.limits_of(settings),
        on_result=on_result,
        on_log=log.extend,
        cancelled=lambda: False,
    )
    return Captured(messages(result), log.decode("utf-8", "replace"), outcome)


def cold_captures(codes: Iterable[str], root: Path) -> list[Captured]:
    """Each in a fork of a new process."""
    folders = []
    for i, code in enumerate(codes):
        folder = root / str(i)
        (folder / "code").mkdir(parents=True)
        submission = accept_code(code, None, None, SETTINGS)
        for file in submission.files:
            (folder / "code" / file.name).write_bytes(file.data)
        (folder / "request").write_bytes(msgspec.json.encode(pipeline.request_of(submission, SETTINGS)))
        folders.append(folder)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    subprocess.run([sys.executable, "-c", COLD, *map(str, folders)], cwd="/", env=environment, check=True)
    return [
        Captured(messages((folder / "result").read_bytes()), (folder / "log").read_text().replace(str(folder), "/job"))
        for folder in folders
    ]


def messages(data: bytes | bytearray) -> tuple[Message, ...]:
    return tuple(decode(body) for body in Unframer(1 << 30).feed(bytes(data)))


def comparable(captured: Captured, folder: str) -> dict[str, Any]:
    """Without what differs from run to run: times, addresses in memory, where the folder lies.

    And without what torch itself does otherwise the second time in a process: a frame more in its own part of a traceback,
    a guard on the module torch where a function of torch's imports it again. Draft export looks at memory that was never
    written to: of an export that was refused only the kinds of its failures.
    """
    found = {}
    for (target, id), stage in captured.stages().items():
        if id == "export" and stage.status == "failed":
            found[f"{target} {id}"] = [(failure.how, failure.type) for failure in stage.failures]
            continue
        guards = tuple(guard for guard in stage.guards if guard.source != "__import__('torch')")
        failures = tuple(msgspec.structs.replace(failure, trace="") for failure in stage.failures)
        stage = msgspec.structs.replace(stage, seconds=None, guards=guards, failures=failures)
        text = msgspec.json.encode(stage).decode().replace(folder, "/job")
        text = re.sub(r'"graph_id":\d+', '"graph_id":0', text)
        found[f"{target} {id}"] = msgspec.json.decode(re.sub(r", \d{12,16}\)", ", ADDRESS)", text))
    return found


def printed(captured: Captured) -> list[str]:
    """The lines, in any order: routes run side by side. Without torch's own stamps of time and process."""
    lines = (re.sub(r"^[WE]\d{4} \S+ \d+ ", "", line) for line in captured.log.splitlines())
    return sorted(re.sub(r"evaluate_expr.*", "evaluate_expr", line) for line in lines)
