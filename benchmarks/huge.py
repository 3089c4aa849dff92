"""What capturing a Llama of 70 billion parameters takes: `python -m benchmarks.huge`.

The model is built on the meta device (option *meta*) and goes through queue, jail and store as any submission: the
gallery's `llama_70b`, or with `--transformers` Hugging Face's own `LlamaForCausalLM` of that shape, where it is installed.
The limits are the server's: on a busy machine GRAPHCAP_ROUTE_WALL_SECONDS and GRAPHCAP_CAPTURE_WALL_SECONDS may be too low.

Prints every stage with its nodes and seconds, and the memory of all processes of the job together (proportional set size,
looked up twenty times a second); the exit code is 1 where a stage failed or the memory was above 4 GB.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from graphcap.intake.accept import accept_code
from graphcap.jobs.runner import Runner, submit
from graphcap.settings import Settings, from_environment
from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary
from graphcap.web.api.gallery import FOLDER

LIMIT = 4_000_000_000  # bytes
SAMPLE_SECONDS = 0.05
TRANSFORMERS = """
import torch
from transformers import LlamaConfig, LlamaForCausalLM

model = LlamaForCausalLM(LlamaConfig(
    vocab_size=128256, hidden_size=8192, intermediate_size=28672, num_hidden_layers=80, num_attention_heads=64,
    num_key_value_heads=8, rope_theta=500000.0, max_position_embeddings=8192, use_cache=False))
example_args = (torch.zeros(1, 128, dtype=torch.long),)
"""


class Memory(threading.Thread):
    """Watches all processes that descend from this one. `peak`: bytes of all together; `largest`: of one process."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = self.largest = 0
        self._over = threading.Event()

    def run(self) -> None:
        """Until `stop`."""
        while not self._over.wait(SAMPLE_SECONDS):
            sizes = [_bytes(pid) for pid in _descendants(os.getpid())]
            self.peak = max(self.peak, sum(proportional for proportional, _ in sizes))
            self.largest = max([self.largest, *(resident for _, resident in sizes)])

    def stop(self) -> None:
        """No more is looked up."""
        self._over.set()
        self.join()


def _descendants(root: int) -> list[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # it has ended
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {root})


def _bytes(pid: int) -> tuple[int, int]:
    """Proportional and resident set size."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    except OSError:  # it has ended
        return 0, 0
    fields = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
    return fields.get("Pss", 0), fields.get("Rss", 0)


def capture(code: str, settings: Settings) -> tuple[CaptureSummary, Memory, float]:
    """One capture, with its memory and the seconds from submitting until its stages and all that follows were there."""
    store = Store(settings.sqlalchemy_url)
    store.migrate()
    runner = Runner(settings, store)
    runner.start()
    memory = Memory()
    try:
        _wait(store, submit(store, settings, accept_code("x = 1", None, None, settings)).id)  # the zygote is warm then
        memory.start()
        began = time.perf_counter()
        submission = accept_code(code, None, {"meta": True}, settings)
        summary = _wait(store, submit(store, settings, submission).id)
        seconds = time.perf_counter() - began
        memory.stop()
        return summary, memory, seconds
    finally:
        runner.stop()
        store.close()


def _wait(store: Store, id: str) -> CaptureSummary:
    while (summary := store.summary(id)) is None or not summary.ended:
        time.sleep(SAMPLE_SECONDS)
    return summary


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transformers", action="store_true", help="LlamaForCausalLM instead of the example's own")
    parser.add_argument("--data", type=Path, help="a data folder to keep the capture in")
    asked = parser.parse_args()
    (example,) = FOLDER.glob("*_llama_70b.py")
    code = TRANSFORMERS if asked.transformers else example.read_text()
    with tempfile.TemporaryDirectory() as folder:
        settings = dataclasses.replace(from_environment(), data_dir=asked.data or Path(folder))
        summary, memory, seconds = capture(code, settings)
    return report(summary, memory, seconds)


def report(summary: CaptureSummary, memory: Memory, seconds: float) -> int:
    """Prints what was captured and what it took; 1 where it was not all or took too much."""
    for failure in summary.failures:
        print(f"{failure.type}: {failure.message}")
    stages = summary.targets[0].stages if summary.targets else ()
    for stage in stages:
        nodes = sum(graph.nodes for graph in stage.graphs if not graph.variant)
        words = stage.failures[0].message if stage.failures else stage.reason
        print(f"{stage.id:10} {stage.status:8} {nodes:6} nodes {stage.seconds or 0:6.1f} s  {words[:120]}")
    print(
        f"\n{summary.id}: {seconds:.1f} s in all; memory of the job {memory.peak / 1e9:.2f} GB (target {LIMIT / 1e9:.0f} GB)"
    )
    print(f"largest process {memory.largest / 1e9:.2f} GB")
    return int(not stages or any(stage.status == "failed" for stage in stages) or memory.peak > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
