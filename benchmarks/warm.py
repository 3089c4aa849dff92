"""How much sooner a warm capture has its graphs than a cold `python sin.py` prints one: `python -m benchmarks.warm`.

Side by side, in turns: a new interpreter that imports torch, exports `Sin` and prints its graph (timed until the graph is
printed), and a submission of the same code, never seen before, through queue, jail and store (timed from submitting until
the first graph, and until every stage, can be read from the store).

Prints the medians and the two ratios; the exit code is 1 where a ratio misses its target.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from graphcap.graph.document import RUN_STAGES
from graphcap.intake.accept import accept_code
from graphcap.jobs.runner import Runner, submit
from graphcap.settings import Settings
from graphcap.store.captures import Store

SIN = """import torch


class Sin{number}(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x).sum()


ep = torch.export.export(Sin{number}(), (torch.randn(4),))
print(ep.graph)
"""
FIRST, ALL = 25.0, 6.0  # the targets: this many times sooner
POLL_SECONDS = 0.001


@dataclasses.dataclass(frozen=True)
class Warm:
    """Seconds from submitting to the first graph and to the last stage; `stages` when each was ready."""

    first: float
    all: float
    stages: dict[str, float]


def cold(folder: Path, number: int) -> float:
    """Seconds until a new interpreter has printed the graph."""
    path = folder / f"sin{number}.py"
    path.write_text(SIN.format(number=number))
    began = time.perf_counter()
    command = [sys.executable, "-W", "ignore", str(path)]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "return (sum_1,)" in line:
                seconds = time.perf_counter() - began
    assert process.returncode == 0
    return seconds


def warm(store: Store, settings: Settings, number: int) -> Warm:
    """One capture of a submission that was never seen."""
    submission = accept_code(SIN.format(number=number), None, None, settings)
    began = time.perf_counter()
    id = submit(store, settings, submission).id
    ready: dict[str, float] = {}
    first, revision = 0.0, -1
    while len(ready) < len(RUN_STAGES):
        time.sleep(POLL_SECONDS)
        if (now := store.revision(id)) == revision or now is None:
            continue
        revision, summary = now, store.summary(id)
        assert summary is not None and summary.status in ("queued", "running", "done"), summary
        for stage in summary.targets[0].stages if summary.targets else ():
            if stage.status in ("done", "skipped", "failed") and stage.id not in ready:
                assert stage.status != "failed", stage
                ready[stage.id] = time.perf_counter() - began
                if stage.graphs and not first:
                    first = ready[stage.id]
    while (summary := store.summary(id)) is None or not summary.ended:
        time.sleep(POLL_SECONDS)
    return Warm(first, max(ready.values()), ready)


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(data_dir=folder / "data")
        store = Store(settings.sqlalchemy_url)
        store.migrate()
        runner = Runner(settings, store)
        runner.start()
        try:
            print("the zygote warms ...", flush=True)
            warm(store, settings, 0)  # waits for it; not counted
            measured = [(cold(folder, i), warm(store, settings, i)) for i in range(1, rounds + 1)]
        finally:
            runner.stop()
            store.close()
    return report(measured)


def report(measured: list[tuple[float, Warm]]) -> int:
    """Prints every round and the medians; 1 where a target is missed."""
    for seconds, captured in measured:
        stages = "  ".join(f"{id} {1000 * at:.0f}" for id, at in sorted(captured.stages.items(), key=lambda item: item[1]))
        print(f"cold {seconds:.2f} s   warm, ms: {stages}")
    base = statistics.median(seconds for seconds, _ in measured)
    first = statistics.median(captured.first for _, captured in measured)
    every = statistics.median(captured.all for _, captured in measured)
    print(f"\ncold python sin.py   {base:.2f} s")
    print(f"first graph          {1000 * first:.0f} ms   1/{base / first:.1f}   (target 1/{FIRST:.0f})")
    print(f"all stages           {1000 * every:.0f} ms   1/{base / every:.1f}   (target 1/{ALL:.0f})")
    return int(base / first < FIRST or base / every < ALL)


if __name__ == "__main__":
    sys.exit(main())
