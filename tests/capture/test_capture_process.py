"""The capture process from outside: its messages, in order, for code that works and code that does not."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
import torch
from capture_runs import only, run_capture

from graphcap.graph.codec import encode
from graphcap.graph.document import RUN_STAGES, Stage
from graphcap.graph.stream import Bye, Ended, Found, Hello, Started

pytestmark = pytest.mark.torch

SIN = """\
import torch
class Sin(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x).sum()
ep = torch.export.export(Sin(), (torch.randn(4),))
print(ep.graph)
"""

MLP = """\
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.register_buffer("seen", torch.zeros(()), persistent=False)
    def forward(self, x, *, scale):
        {0}
        return self.seq(x) * scale + self.seen
model = Net()
example_args = (torch.randn(2, 4),)
example_kwargs = {{"scale": 0.5}}
"""

NO_BREAKING_WHILE_COMPILED = "if not torch.compiler.is_compiling():\n            "


def test_a_pasted_script_shows_what_it_prints_and_the_same_graph_to_the_letter() -> None:
    run = run_capture(SIN, "sin.py", fresh=True)
    export = only(run.stage("export"))
    assert run.log == export.text + "\n"
    assert [export.nodes[i].name if i >= 0 else "" for i in export.text_lines] == ["", "x", "sin", "sum_1", "output"]
    (target,) = run.found.targets
    assert (target.title, target.rule) == ("Sin", "the script's own call of torch.export.export, line 5")
    assert target.frame is not None and (target.frame.file, target.frame.line, target.frame.user) == ("sin.py", 5, True)
    assert [n.target for n in export.nodes if n.op == "call_function"] == ["aten.sin.default", "aten.sum.default"]
    sin = export.nodes[1]
    assert [export.frames[i].code for i in export.stacks[sin.stack]] == ["return torch.sin(x).sum()"]


def test_messages_come_in_order_and_every_stage_ends_once() -> None:
    run = run_capture(SIN)
    assert isinstance(run.messages[0], Hello) and run.messages[0].torch == torch.__version__
    assert isinstance(run.messages[1], Found) and isinstance(run.messages[-1], Bye)
    ended = [m.stage.id for m in run.messages if isinstance(m, Ended)]
    assert sorted(ended) == sorted(RUN_STAGES)
    assert [m.stage for m in run.messages if isinstance(m, Started)][:2] == ["eager", "export"]
    assert run.code == 0


def test_the_names_of_exportdb_and_the_kinds_of_inputs_and_outputs() -> None:
    run = run_capture(MLP.format("pass"), mode="train", stages=("export", "core_aten"))
    assert run.found.targets[0].rule == "`model` and `example_args` in the file"
    assert run.statuses() == {"export": "done", "core_aten": "done"}
    graph = only(run.stage("core_aten"))
    inputs = {
        n.name: (n.placeholder.kind, n.placeholder.name, n.placeholder.persistent) for n in graph.nodes if n.placeholder
    }
    assert inputs["p_seq_0_weight"] == ("parameter", "seq.0.weight", None)
    assert inputs["b_seq_1_running_mean"] == ("buffer", "seq.1.running_mean", True)
    assert inputs["b_seen"] == ("buffer", "seen", False)
    assert inputs["x"] == ("input", "x", None)
    returned = [(output.kind, output.name) for output in graph.nodes[-1].returns]
    assert ("buffer_mutation", "seq.1.running_var") in returned and returned[-1] == ("user_output", "")
    modules = {module.path: module.cls for stack in graph.modules for module in stack}
    assert modules == {"": "Net", "seq": "Sequential", "seq.0": "Linear", "seq.1": "BatchNorm1d", "seq.2": "ReLU"}


def test_the_mode_asked_for_is_the_one_captured() -> None:
    def training(mode: str) -> object:
        (norm,) = [n for n in only(run_capture(MLP.format("pass"), mode=mode, stages=("export",)).stage("export")).nodes
                   if n.target == "aten.batch_norm.default"]  # fmt: skip
        return norm.args[5]

    assert training("eval") is False
    assert training("as_written") is True


def test_an_endless_forward_costs_its_own_route_only() -> None:
    code = MLP.format(NO_BREAKING_WHILE_COMPILED + "while True: pass")
    run = run_capture(code, seconds=15, stages=("eager", "export"))
    assert run.statuses() == {"eager": "failed", "export": "done"}
    (failure,) = run.stage("eager").failures
    assert failure.type == "timeout" and "15 s" in failure.message
    assert failure.frame is not None and failure.frame.code == "while True: pass"


def test_a_segmentation_fault_costs_its_own_route_only_and_names_the_line() -> None:
    code = MLP.format(NO_BREAKING_WHILE_COMPILED + "print('now'); __import__('ctypes').string_at(0)")
    run = run_capture(code, stages=("eager", "export", "joint"))
    assert run.statuses() == {"eager": "failed", "export": "done", "joint": "done"}
    (failure,) = run.stage("eager").failures
    assert failure.type == "crashed" and "SIGSEGV" in failure.message
    assert failure.frame is not None and "string_at(0)" in failure.frame.code
    assert "now" in run.log


def test_a_forward_that_ends_the_process_fails_every_stage_with_its_line() -> None:
    run = run_capture(MLP.format("__import__('os')._exit(3)"), stages=("eager", "export"))
    assert run.statuses() == {"eager": "failed", "export": "failed"}
    failure = run.stage("export").failures[0]
    assert (failure.type, failure.frame and failure.frame.line) == ("exited", 9)


def test_a_forward_that_raises_system_exit_is_a_failure_not_an_end() -> None:
    run = run_capture(MLP.format("raise SystemExit(4)"), stages=("eager", "export"))
    assert [f.type for f in run.stage("eager").failures] == ["SystemExit"]
    assert [f.how for f in run.stage("export").failures] == ["non-strict", "strict", "draft"]


def test_what_a_forward_leaves_running_is_ended() -> None:
    marker = f"graphcap-test-{time.time_ns()}"
    code = MLP.format(f"__import__('subprocess').Popen(['sleep', '600', '{marker}'], start_new_session=True)")
    run_capture(code, stages=("eager",))
    deadline = time.monotonic() + 300  # a killed process is gone some moments after the kernel was told
    while [p for p in Path("/proc").glob("[0-9]*/cmdline") if marker.encode() in _read(p)]:
        assert time.monotonic() < deadline, "it is left running"
        time.sleep(0.05)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_file_that_leaves_threads_running_is_loaded_again_in_silence() -> None:
    code = "import threading, time\nprint('loaded')\n"
    code += "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n" + SIN
    run = run_capture(code, stages=("eager", "export"))
    assert run.statuses() == {"eager": "done", "export": "done"}
    assert run.log.count("loaded") == 1


def test_code_that_closes_descriptors_and_prints_does_not_reach_the_result() -> None:
    code = "import os\nfor fd in range(3, 60):\n    try: os.close(fd)\n    except OSError: pass\nprint('x' * 1000)\n" + SIN
    assert run_capture(code, fresh=True, stages=("export",)).statuses() == {"export": "done"}


@pytest.mark.parametrize(
    ("code", "type_", "line"),
    [
        ("import sys\ndef stop():\n    sys.exit(3)\nstop()", "SystemExit", 3),
        ("import os\n\nos._exit(3)", "exited", 3),
        ("import ctypes\nctypes.string_at(0)", "crashed", 2),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", 1),
        ("x = 1\ndef f(:\n    pass", "SyntaxError", 2),
        ("import torch\ntorch.ones(2) @ torch.ones(3)", "RuntimeError", 2),
        ("import torch\ntorch.zeros(25_000_000_000)", "memory-limit", 2),
        ("import no_such_package", "ModuleNotFoundError", 1),
    ],
)
def test_what_stops_an_import_is_told_with_its_line(code: str, type_: str, line: int) -> None:
    failure = run_capture(code, "bad.py").failure
    assert failure.type == type_
    assert failure.frame is not None and (failure.frame.file, failure.frame.line) == ("bad.py", line)


def test_an_endless_import_is_stopped_at_its_line() -> None:
    failure = run_capture("while True:\n    pass", seconds=4).failure
    assert failure.type == "timeout" and failure.frame is not None and failure.frame.file == "model.py"


class TwoLayers(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.l = torch.nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.l(x).relu()


def saved_program() -> tuple[torch.export.ExportedProgram, bytes]:
    program = torch.export.export(TwoLayers(), (torch.randn(2, 3),))
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    return program, buffer.getvalue()


def test_a_saved_program_is_shown_as_it_was_saved() -> None:
    program, data = saved_program()
    run = run_capture(data, "two.pt2", stages=("eager", "export", "core_aten"))
    assert run.statuses() == {"eager": "done", "export": "done", "core_aten": "done"}
    assert only(run.stage("export")).text == str(program.graph)
    assert only(run.stage("core_aten")).text == str(program.run_decompositions().graph)


def test_what_is_no_saved_program_is_refused_by_what_it_is() -> None:
    _, data = saved_program()
    weights = io.BytesIO()
    torch.save(TwoLayers().state_dict(), weights)
    for name, given, words in [
        ("cut.pt2", data[:-300], "its end is missing"),
        ("cut.pt2", data[: len(data) // 3], "damaged archive"),
        ("text.pt2", b"import torch", "not a zip file"),
        ("empty.pt2", b"", "not a zip file"),
        ("weights.pt2", weights.getvalue(), "a file of torch.save"),
    ]:
        failure = run_capture(given, name).failure
        assert failure.type == "not-a-pt2" and words in failure.message, (name, failure.message)
        assert "torch.export.save" in failure.hints[0]


def test_a_stage_too_large_to_send_is_sent_smaller_or_as_failed() -> None:
    whole = only(run_capture(MLP.format("pass"), stages=("export",)).stage("export"))
    assert whole.readable and any(schema.doc for schema in whole.schemas)
    size = len(encode(Stage("export", "done", graphs=(whole,))))
    smaller = run_capture(MLP.format("pass"), stages=("export",), message_bytes=size - 200).stage("export")
    assert only(smaller).nodes == whole.nodes and not only(smaller).readable and "too large" in smaller.notes[0]
    refused = run_capture(MLP.format("pass"), stages=("export",), message_bytes=2_000).stage("export")
    assert (refused.status, refused.failures[0].type) == ("failed", "too-large")


def test_paths_are_those_of_the_submission_also_where_torch_shortens_them() -> None:
    run = run_capture(MLP.format("x = x if x.sum().item() > 0 else -x"), stages=("export",))
    said = [failure.message for failure in run.stage("export").failures]
    assert any(line.startswith("Caused by: (model.py:") for message in said for line in message.splitlines()), said
    assert not any("/model.py" in message for message in said), said
