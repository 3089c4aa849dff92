"""The whole way with the real capture process and real torch: what a person sends, and what stands in the store.

One case for each way a capture may go; tests/capture has the many, without a new torch for each.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import statuses

from graphcap.intake.accept import accept_code, accept_files
from graphcap.intake.submission import Submission
from graphcap.intake.upload import Upload
from graphcap.jobs.pipeline import carry, plan
from graphcap.sandbox.zygote.pool import Pool
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.store.records import CaptureSummary

pytestmark = pytest.mark.torch

SIN = """import torch
class Sin(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x).sum()
ep = torch.export.export(Sin(), (torch.randn(4),))
print(ep.graph)
"""

MODEL = """import torch
class Model(torch.nn.Module):
    def forward(self, x):
        {body}
        return x + 1
model = Model()
example_args = (torch.ones(2, requires_grad=True),)
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", route_wall_seconds=12)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    """In the strongest jail there is here."""
    pool = Pool(plan(Settings(data_dir=tmp_path_factory.mktemp("zygotes"))))
    pool.start()
    yield pool
    pool.close()


def captured(store: Store, settings: Settings, pool: Pool, submission: Submission) -> CaptureSummary:
    id = store.create(submission).id
    claimed = store.claim()
    assert claimed is not None
    carry(claimed, store, settings, pool)
    summary = store.summary(id)
    assert summary is not None
    return summary


def pasted(store: Store, settings: Settings, pool: Pool, code: str, *stages: str) -> CaptureSummary:
    return captured(store, settings, pool, accept_code(code, None, {"stages": list(stages)} if stages else None, settings))


def test_the_sin_example_with_its_printed_text(store: Store, settings: Settings, pool: Pool) -> None:
    summary = pasted(store, settings, pool, SIN)
    assert summary.status == "done" and summary.torch.startswith("2.13")
    assert set(statuses(summary).values()) <= {"done", "skipped"}
    export, log = store.graph(summary.id, "export.0"), store.log(summary.id)
    assert export is not None and log is not None
    assert [node.target for node in export.nodes] == ["x", "aten.sin.default", "aten.sum.default", "output"]
    assert log.text == export.text + "\n"


def test_an_exported_program(store: Store, settings: Settings, pool: Pool, tmp_path: Path) -> None:
    save = "torch.export.save(ep, 'sin.pt2')"
    subprocess.run([sys.executable, "-c", SIN.replace("print(ep.graph)", save)], cwd=tmp_path, check=True, timeout=300)
    upload = Upload("sin.pt2", (tmp_path / "sin.pt2").read_bytes())
    summary = captured(store, settings, pool, accept_files([upload], '{"stages": ["export"]}', settings))
    assert statuses(summary) == {"export": "done"}
    graph = store.graph(summary.id, "export.0")
    assert graph is not None and len(graph.nodes) == 4


@pytest.mark.parametrize(
    ("code", "says", "line"),
    [
        ("import torch\ndef (:\n", "SyntaxError", 2),
        ("import os\nos._exit(3)\n", "exit code 3", 2),
        ("import ctypes\nctypes.string_at(0)\n", "SIGSEGV", 2),
        ("import torch\ntorch.ones(25_000_000_000)\n", "100000000000 bytes", 2),
    ],
)
def test_code_that_fails_as_it_is_loaded(
    store: Store, settings: Settings, pool: Pool, code: str, says: str, line: int
) -> None:
    summary = pasted(store, settings, pool, code)
    assert summary.status == "failed" and summary.targets == ()
    failure = summary.failures[0]
    assert says in f"{failure.type}: {failure.message}"
    assert failure.frame is not None and (failure.frame.file, failure.frame.line) == ("model.py", line)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("while not torch.compiler.is_exporting(): pass", "12 s"),
        ("torch.compiler.is_exporting() or __import__('ctypes').string_at(0)", "SIGSEGV"),
    ],
)
def test_a_forward_that_ends_its_process_leaves_the_other_stages(
    store: Store, settings: Settings, pool: Pool, body: str, says: str
) -> None:
    summary = pasted(store, settings, pool, MODEL.format(body=body), "eager", "export")
    assert summary.status == "done"
    assert statuses(summary) == {"eager": "failed", "export": "done"}
    assert says in summary.targets[0].stages[0].failures[0].message
