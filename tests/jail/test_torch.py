"""torch works inside: what a capture calls, in each tier. A new torch may need a new call: on_denied="trap" names it."""

from __future__ import annotations

import pytest

from tests.jail.jailed import STARTERS, TIERS, run

pytestmark = pytest.mark.torch

BEFORE = """
import gc, tempfile, torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.aot_autograd import aot_export_module
torch.set_num_threads(1)
torch.hub.tqdm.monitor_interval = 0  # else its thread stays: see graphcap.capture.shortcuts
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
    def forward(self, x):
        return (torch.relu(self.linear(x)).sum(),)
def captured():
    model, x = Model(), torch.randn(2, 4)
    program = torch.export.export(model, (x,)).run_decompositions()
    joint, _ = aot_export_module(Model(), (x,), trace_joint=True, output_loss_index=0)
    return len(list(program.graph.nodes)), len(list(joint.graph.nodes))
expected = captured()
gc.collect(); gc.freeze()
"""

JOB = """
print(captured() == expected, flush=True)
seen = []
def keep(graph, inputs):
    seen.append(len(list(graph.graph.nodes)))
    return graph
os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.environ["TMPDIR"] = policy.work or os.path.dirname(os.__file__)
os.environ["USER"] = "job"
tempfile.tempdir = None  # asked before, and kept
compiled = torch.compile(Model(), backend=aot_autograd(fw_compiler=keep, bw_compiler=keep))
compiled(torch.randn(2, 4))[0].backward()
print(len(seen), flush=True)
torch.set_num_threads(4)
print(tuple(torch.randn(300, 300).mm(torch.randn(300, 300)).shape), flush=True)
if policy.work:
    torch.save(Model().state_dict(), "weights.pt")
    print(len(torch.load("weights.pt")), flush=True)
    torch.export.save(torch.export.export(Model(), (torch.randn(2, 4),)), "program.pt2")
    print(len(torch.export.load("program.pt2").state_dict), flush=True)
    print(len(torch.export.draft_export(Model(), (torch.randn(2, 4),)).state_dict), flush=True)
"""


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("starter", [STARTERS[0], STARTERS[-1]])
def test_export_dynamo_and_autograd(tier: str, starter: str) -> None:
    ended = run(JOB, tier=tier, starter=starter, before=BEFORE, seconds=300, allow_memfd=True, on_denied="trap")
    assert ended.status == 0, ended.text
    wanted = ["True", "2", "(300, 300)", *(["2", "2", "2"] if tier == "namespaces" else [])]
    assert [line for line in ended.lines if line in wanted] == wanted, ended.text
