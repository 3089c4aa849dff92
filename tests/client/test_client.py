"""The command and the Python API: captured here, kept by a server that runs nothing, and refused where it is not true."""

from __future__ import annotations

import gzip
import http.server
import json
import linecache
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch

import graphcap
from graphcap.capture.live import source_files
from graphcap.client import cli
from graphcap.client.captured import Capture, load
from graphcap.client.pushing import push
from graphcap.errors import UserError
from graphcap.graph.codec import DocumentError
from graphcap.graph.package import CaptureFile, pack, unpack
from graphcap.jobs.documents import ELSEWHERE, take_document
from graphcap.settings import Settings
from graphcap.store.captures import Store
from graphcap.web import create_app
from graphcap.web.api.sent.documents import ONE_AT_A_TIME

ROOT = Path(__file__).parents[2]

MODEL = """
import torch
from helper import double
class Net(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.lin = torch.nn.Linear(size, size)
    def forward(self, x):
        return double(self.lin(x)).sum()
"""

LIVE = """
import torch, graphcap
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin, self.norm, self.calls = torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), 0
    def forward(self, x):
        self.calls += 1
        return torch.relu(self.norm(self.lin(x))).sum()
net, x = Net(), torch.randn(3, 4)
net.lin.weight.grad = given = torch.ones(4, 4)
before, random = {name: value.clone() for name, value in net.state_dict().items()}, torch.get_rng_state()
capture = graphcap.capture(net, x, graphcap_stages=("eager", "joint", "forward", "backward"))
assert all(torch.equal(before[name], value) for name, value in net.state_dict().items())
assert torch.equal(random, torch.get_rng_state()) and net.lin.weight.grad is given and net.training
capture.save("live.graphcap")
graphcap.capture(net, x, graphcap_stages=("export",), graphcap_programs="whole")
loaded = torch.export.load("whole/export.0.pt2").module()
assert torch.equal(loaded.state_dict()["lin.weight"], net.lin.weight)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of one's own captured by the command, and a live model by the API; weights lie about that belong to neither."""
    made = tmp_path_factory.mktemp("own")
    (made / "net.py").write_text(MODEL)
    (made / "helper.py").write_text("def double(x):\n    return x * 2\n")
    (made / "other.pt").write_bytes(b"no weights of this model")
    (made / "live.py").write_text(LIVE)
    return made


@pytest.fixture(scope="module")
def summary(folder: Path) -> dict[str, Any]:
    asked = [
        "--construct",
        "Net(4)",
        "--inputs",
        "x: f32[2, 4]",
        "--stages",
        "export,forward",
        "--json",
        "--programs",
        "out",
    ]
    command = [sys.executable, "-m", "graphcap.client", "capture", "net.py", *asked]
    done = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def file(folder: Path, summary: dict[str, Any]) -> CaptureFile:
    return load(folder / summary["file"]).file


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def test_a_file_is_captured_with_what_it_imports(summary: dict[str, Any], file: CaptureFile) -> None:
    (target,) = summary["targets"]
    assert [(stage["id"], stage["status"]) for stage in target["stages"]] == [("export", "done"), ("forward", "done")]
    assert [each.name for each in file.document.files] == ["net.py", "helper.py"]
    assert file.document.options.construct == "Net(4)"
    graph = Capture(file).stages["export"].graph
    assert {"x", "linear", "output"} <= set(graph.nodes)
    assert any(program.graph == "export.0" for program in file.programs)


def test_programs_with_their_weights_are_written_beside_the_capture_only(
    folder: Path, summary: dict[str, Any], file: CaptureFile
) -> None:
    import torch

    whole = torch.export.load(folder / "out" / "export.0.pt2")
    assert all(value.device.type == "cpu" and value.abs().sum() > 0 for value in whole.state_dict.values())
    assert whole.module()(torch.ones(2, 4)).shape == ()
    (program,) = file.programs
    (folder / "kept.pt2").write_bytes(program.data)
    kept = torch.export.load(folder / "kept.pt2")
    assert whole.state_dict and kept.state_dict.keys() == whole.state_dict.keys()
    assert all(value.device.type == "meta" for value in kept.state_dict.values())


def test_a_live_model_is_captured_and_left_as_it_was(folder: Path) -> None:
    done = subprocess.run([sys.executable, "live.py"], cwd=folder, env=_environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    capture = load(folder / "live.graphcap")
    assert [(name, stage.status) for name, stage in capture.stages.items()] == [
        (name, "done") for name in ("eager", "joint", "forward", "backward")
    ]
    assert "native_batch_norm" in capture.stages["forward"].text
    assert all(graph.replay is not None and graph.replay.close for graph in capture.stages["forward"].record.graphs)
    assert [each.name for each in capture.file.document.files] == ["live.py"]


@pytest.mark.parametrize(
    ("keywords", "error", "said"),
    [
        ({"graphcap_mode": "nope"}, ValueError, "mode: as_written | train | eval"),
        ({"graphcap_stages": ["nope"]}, ValueError, "stages: a list of eager"),
        ({"graphcap_stages": ()}, ValueError, "`stages` is empty"),
        ({"graphcap_bogus": 1}, TypeError, "no keyword graphcap_bogus"),
    ],
)
def test_a_mistyped_keyword_is_said(keywords: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=re.escape(said)):
        graphcap.capture(torch.nn.ReLU(), torch.ones(2), **keywords)


def test_what_can_not_be_called_is_told_with_what_to_do() -> None:
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3))
    for wrong, said in (
        (model, r"graphcap.capture\(model, torch.randn\(2, 3, 32, 32\)\)"),
        (torch.nn.Linear, "make an instance of it"),
        ("net.py", "graphcap capture FILE"),
        (model.state_dict(), "load_state_dict"),
        (3, "int is neither a module"),
    ):
        with pytest.raises(TypeError, match=said):
            graphcap.capture(wrong)


def test_a_program_is_called_with_the_inputs_that_it_carries() -> None:
    program = torch.export.export(torch.nn.Linear(3, 2), (torch.ones(4, 3),))
    capture = graphcap.capture(program, graphcap_stages=("eager", "export"))
    assert [stage.status for stage in capture.stages.values()] == ["done", "done"]


def test_the_cells_of_a_notebook_are_named_as_such() -> None:
    cells = ["/tmp/ipykernel_4711/2478346721.py", "/tmp/ipykernel_4711/99.py"]
    for path in cells:
        linecache.cache[path] = (4, None, ["x=1\n"], path)
    assert list(source_files(torch.nn.ReLU(), cells).values()) == ["cell.py", "cell_2.py"]


def test_it_shows_itself_without_a_network_and_exports(file: CaptureFile, capsys: pytest.CaptureFixture[str]) -> None:
    capture = Capture(file)
    shown = capture._repr_html_()
    assert shown.startswith("<iframe") and "default-src &#x27;none&#x27;" in shown
    assert capture.export("txt", "export.0").decode() == capture.stages["export"].text + "\n"
    assert capture.export("pt2", "export.0").startswith(b"PK")
    with pytest.raises(UserError, match="no such graph"):
        capture.export("txt", "export.7")


@pytest.fixture
def store(tmp_path: Path) -> tuple[Store, Settings]:
    settings = Settings(data_dir=tmp_path)
    made = Store(settings.sqlalchemy_url)
    made.migrate()
    return made, settings


def test_a_pushed_capture_is_as_it_was_and_says_where_it_is_from(file: CaptureFile, tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path), with_runner=False)
    answer = app.test_client().post("/api/documents", data=pack(file))
    assert answer.status_code == 201
    got = app.test_client().get(f"/api/captures/{answer.json['id']}").json
    assert (got["status"], got["torch"], got["options"]["inputs"]) == ("done", file.document.torch, "x: f32[2, 4]")
    (target,) = got["targets"]
    assert target["rule"].endswith(ELSEWHERE)
    text = app.test_client().get(f"/api/captures/{answer.json['id']}/graphs/export.0/text").json["text"]
    assert text == Capture(file).stages["export"].text
    deleted = app.test_client().delete(
        f"/api/captures/{answer.json['id']}", headers={"Authorization": f"Bearer {answer.json['delete_token']}"}
    )
    assert deleted.status_code == 204


def _edited(file: CaptureFile, edit: Callable[[dict[str, Any]], None]) -> bytes:
    data = msgspec.json.decode(msgspec.json.encode(file))
    edit(data)
    return gzip.compress(msgspec.json.encode(data))


def _graph(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["document"]["targets"][0]["stages"][0]["graphs"][0]
    return found


WRONG: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a newer schema": (lambda d: d.update(schema="graphcap/2"), "Upgrade"),
    "an unknown field": (lambda d: d.update(more=1), "unknown field"),
    "a file outside": (lambda d: d["document"]["files"][0].update(name="../../etc/passwd"), "no name of a file"),
    "a size that can not be": (lambda d: d["document"]["files"][0].update(size=0), "size"),
    "a reference forwards": (lambda d: _graph(d)["nodes"][0].update(args=[{"k": "ref", "node": 9}]), "does not come before"),
    "a graph of another stage": (lambda d: _graph(d).update(id="joint.0"), "no id of a graph"),
    "a running stage": (lambda d: d["document"]["targets"][0]["stages"][0].update(status="running"), "ended as running"),
    "a stage not asked for": (lambda d: d["document"]["targets"][0]["stages"][0].update(id="eager"), "eager"),
    "a program that is none": (lambda d: d["programs"][0].update(data="AAAA"), "no archive"),
    "a program of no graph": (lambda d: d["programs"][0].update(graph="export.7"), "no graph of it"),
    "a program twice": (lambda d: d["programs"].append(d["programs"][0]), "of one graph"),
    "a stage twice": (lambda d: d["document"]["targets"][0].update(fits=["export", "export"]), "a stage twice"),
    "a negative time": (lambda d: d.update(seconds=-1.0), "time"),
    "no files": (lambda d: d["document"].update(files=[]), "0 files"),
    "a hostile construct": (lambda d: d["document"]["options"].update(construct="import os"), "construct"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_document_that_can_not_be_is_refused_and_leaves_nothing(
    what: str, file: CaptureFile, store: tuple[Store, Settings]
) -> None:
    edit, said = WRONG[what]
    with pytest.raises(UserError, match="(?s).*") as refused:
        take_document(_edited(file, edit), *store)
    assert refused.value.code == "bad-document" and said in refused.value.detail
    assert store[0].counts() == {}


def test_damaged_files_are_refused_and_bombs_are_not_unpacked(file: CaptureFile) -> None:
    data = pack(file)
    for bad, said in (
        (data[:-100], "cut off"),
        (data[:10] + b"\xff" * 50, "damaged"),
        (b"import torch", "no capture"),
        (b"PK\x03\x04", "no capture"),
        (b"", "no capture"),
        (gzip.compress(b" " * 10_000_000), "more than"),
    ):
        with pytest.raises(DocumentError, match=said):
            unpack(bad, 1_000_000)


def test_a_failed_capture_is_told_with_its_line_and_exit_code(folder: Path) -> None:
    (folder / "broken.py").write_text("import torch\nx = torch.nn.Linear(2)\n")
    command = [sys.executable, "-m", "graphcap.client", "capture", "broken.py"]
    done = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert "TypeError (broken.py, line 2)" in done.stderr
    assert not (folder / "broken.graphcap").exists()


def test_where_every_stage_fails_the_reason_is_told_and_the_exit_code_says_so(folder: Path) -> None:
    (folder / "refuses.py").write_text("import torch\ndef model(x): return x.nothing\nexample_args = (torch.ones(2),)\n")
    command = [sys.executable, "-m", "graphcap.client", "capture", "refuses.py", "--stages", "eager"]
    done = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "1 stage failed" in done.stderr
    assert "AttributeError (refuses.py, line 2)\n'Tensor' object has no attribute 'nothing'" in done.stderr
    (folder / "breaks.py").write_text(
        "import torch\ndef model(x): return x[x > 0].tolist()\nexample_args = (torch.ones(2),)\n"
    )
    command[4:] = ["breaks.py", "--stages", "eager,export"]
    done = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "1 stage done, 1 stage failed" in done.stderr and "(breaks.py, line 2)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["capture", "nowhere.py"], "No such file"),
        (["capture", __file__, "--stages", "exprot"], "'exprot'"),
        (["capture", __file__, "--inputs", "x: f32[2"], "inputs: "),
        (["capture", __file__, "--second-inputs", "x: f32[2"], "second inputs: "),
        (["open", __file__], "no capture of graphcap"),
        (["push", __file__, "localhost"], "no capture of graphcap"),
    ],
)
def test_what_is_wrong_is_said_with_exit_code_2(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("server", ["localhost:8000", "ftp://localhost", "http://127.0.0.1:1"])
def test_a_server_that_is_not_there_is_said(server: str, file: CaptureFile) -> None:
    with pytest.raises(UserError, match="server"):
        Capture(file).push(server)


def test_the_package_needs_what_the_checkout_needs() -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"] == wanted


def test_the_command_loads_no_torch_and_the_name_is_callable() -> None:
    code = "import sys, graphcap.client.cli, graphcap; assert 'torch' not in sys.modules; assert callable(graphcap.capture)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_a_server_says_is_not_trusted(file: CaptureFile) -> None:
    answers = [
        (201, b'{"id": "../x", "delete_token": "t"}'),
        (201, b'{"id": "ab", "delete_token": "t\\u001b[2J"}'),
        (422, b'{"code": "bad-document", "title": "No\\u001b[31m", "detail": "", "hint": ""}'),
    ]

    class Server(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            status, body = answers.pop(0)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        with pytest.raises(UserError, match="an id that is none"):
            push(file, address)
        pushed = push(file, address)
        assert (pushed.url, pushed.delete_token) == (f"{address}/c/ab", "t[2J")
        with pytest.raises(UserError, match=r"^No\[31m"):
            push(file, address)
        server.shutdown()
    with pytest.raises(UserError, match="no address of a server"):
        push(file, "http://[")


def test_one_document_is_taken_in_at_a_time(file: CaptureFile, tmp_path: Path) -> None:
    client = create_app(Settings(data_dir=tmp_path), with_runner=False).test_client()
    with ONE_AT_A_TIME:
        refused = client.post("/api/documents", data=pack(file))
    assert (refused.status_code, refused.get_json(force=True)["code"]) == (503, "too-busy")
    assert client.post("/api/documents", data=pack(file)).status_code == 201
