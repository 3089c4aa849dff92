"""A warm capture gives what a cold one gives, and none sees another. Real torch, in the strongest jail there is here."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from captures import ROOT, SETTINGS, Captured, cold_captures, comparable, printed, warm_capture

from graphcap.graph.document import RUN_STAGES
from graphcap.jobs.pipeline import plan
from graphcap.sandbox.zygote.pool import Pool
from graphcap.settings import Settings

pytestmark = pytest.mark.torch

EXAMPLES = ("01_sin", "07_cond", "08_graph_breaks", "09_export_refuses", "11_checkpointing", "13_dynamic_shapes")
"""One for each way through torch that the warming goes."""


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    pool = Pool(plan(Settings(data_dir=tmp_path_factory.mktemp("zygotes"))))
    pool.start()
    yield pool
    pool.close()


def example(name: str) -> str:
    return (ROOT / "graphcap/web/examples" / f"{name}.py").read_text()


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Captured, Path]]:
    root = tmp_path_factory.mktemp("cold")
    captured = cold_captures([example(name) for name in EXAMPLES], root)
    return {name: (one, root / str(i)) for i, (name, one) in enumerate(zip(EXAMPLES, captured, strict=True))}


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_gives_what_a_cold_one_gives_to_the_letter(pool: Pool, cold: dict[str, tuple[Captured, Path]], name: str) -> None:
    """Names and numbers too: nothing that the warming counted or cached shows."""
    captured = warm_capture(pool, example(name))
    was, folder = cold[name]
    assert captured.outcome.kind == "ok"
    assert printed(captured) == printed(was)
    warm_stages, cold_stages = comparable(captured, "/job"), comparable(was, str(folder))
    assert set(warm_stages) == set(cold_stages)
    for stage, found in cold_stages.items():
        assert warm_stages[stage] == found, stage


LEAVES = """
import os, random, sys, tempfile, torch, types
from torch.library import Library
seen = [
    "left" in sys.modules,
    hasattr(torch.ops.left, "op"),
    torch._dynamo.config.cache_size_limit,
    os.path.exists(os.path.join(tempfile.gettempdir(), "left")),
    os.listdir(os.environ["TORCHINDUCTOR_CACHE_DIR"]),
    torch.rand(1).item(),
    torch.get_default_dtype(),
    getattr(torch, "left", None),
    torch.is_grad_enabled(),
]
print(seen)
sys.modules["left"] = types.ModuleType("left")
library = Library("left", "DEF")
library.define("op(Tensor x) -> Tensor")
torch._dynamo.config.cache_size_limit = 99
open(os.path.join(tempfile.gettempdir(), "left"), "w").close()
open(os.path.join(os.environ["TORCHINDUCTOR_CACHE_DIR"], "left"), "w").close()
torch.manual_seed(5)
torch.set_default_dtype(torch.float64)
torch.left = 1
torch.set_grad_enabled(False)
model = torch.nn.Linear(2, 2)
example_args = (torch.ones(1, 2),)
"""


def test_captures_never_see_each_other(pool: Pool) -> None:
    """Not their modules, operators, settings, files, caches or random state."""
    first, second = (warm_capture(pool, LEAVES, ["eager"]) for _ in range(2))
    assert first.outcome.kind == "ok" and first.stages()["t1", "eager"].status == "done"
    assert first.log == second.log and first.log.startswith("[False, False, 8, False, []")


MODEL = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        {body}
        return x + 1
model = Model()
example_args = (torch.ones(2, requires_grad=True),)
"""


def test_a_forward_can_start_threads_but_no_process(pool: Pool) -> None:
    body = "import os, threading; t = threading.Thread(target=print, args=('thread',)); t.start(); t.join(); os.fork()"
    captured = warm_capture(pool, MODEL.format(body=body), ["eager"])
    (failure,) = captured.stages()["t1", "eager"].failures
    assert failure.type == "PermissionError" and "thread" in captured.log


def test_a_file_that_leaves_threads_running_is_captured_all_the_same(pool: Pool) -> None:
    code = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
    captured = warm_capture(pool, code + MODEL.format(body="pass"), ["eager", "export"])
    assert {stage.status for stage in captured.stages().values()} == {"done"}


def test_eight_at_once(pool: Pool) -> None:
    captured: list[Captured] = []
    code = MODEL.format(body="pass")
    threads = [threading.Thread(target=lambda: captured.append(warm_capture(pool, code))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.outcome.kind for one in captured] == ["ok"] * 8
    assert all(len(one.stages()) == len(RUN_STAGES) for one in captured)


def test_memory_is_bounded_and_torch_says_so(pool: Pool) -> None:
    captured = warm_capture(pool, MODEL.format(body="torch.zeros(2_000_000_000)"), ["eager"], SETTINGS)
    (failure,) = captured.stages()["t1", "eager"].failures
    assert failure.type == "memory-limit" and "8000000000 bytes" in failure.message
