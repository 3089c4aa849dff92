"""What serves a page to measure: graphcap itself, and its peers Model Explorer and Netron from their packages on PyPI."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import signal
import site
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PEERS = Path(tempfile.gettempdir()) / "graphcap-peers"
"""Where the peers are installed: outside of this folder, in an environment of their own."""

PACKAGES = ("ai-edge-model-explorer==0.1.34", "netron==9.3.3")
START_SECONDS = 120
CAPTURE_SECONDS = 600
UPLOAD_MIB = 256  # a ResNet-50 has 100 MB of weights


def peers(folder: Path = PEERS) -> Path:
    """The folder of the peers' programs, installed where they are not there yet.

    Model Explorer reads a `.pt2` by torch: it gets the one that this script runs with, rather than a second copy.
    """
    if not (folder / "bin" / "netron").exists():
        print(f"installing {', '.join(PACKAGES)} in {folder}", flush=True)
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", *PACKAGES], check=True)
    own = site.getsitepackages()[0]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (folder / "lib" / version / "site-packages" / "torch_of_graphcap.pth").write_text(f"{own}\n")
    return folder / "bin"


@contextlib.contextmanager
def graphcap(workers: int = 1) -> Iterator[str]:
    """The app under gunicorn, as `make run` starts it, with an empty data folder; its address.

    GRAPHCAP_SITE in the environment names one that runs already, to be measured instead.
    """
    if running := os.environ.get("GRAPHCAP_SITE"):
        yield running
        return
    port = _free_port()
    command = [sys.executable, "-m", "gunicorn", "app:create_app()", "--bind", f"127.0.0.1:{port}"]
    command += [
        "--workers",
        str(workers),
        "--worker-class",
        "gthread",
        "--threads",
        "32",
        "--timeout",
        "120",
        "--no-control-socket",
    ]
    with tempfile.TemporaryDirectory() as data:
        settings = {"GRAPHCAP_DATA_DIR": data, "GRAPHCAP_UPLOAD_MIB": str(UPLOAD_MIB)}
        with _running(command, f"http://127.0.0.1:{port}", "/healthz", settings) as address:
            yield address


FLOOR = """<!doctype html><title>one triangle</title><style>canvas { width: 100%; height: 100vh }</style><canvas></canvas>
<script>document.querySelector("canvas").getContext("2d").fill(new Path2D("M0 0h9v9z"))</script>"""


@contextlib.contextmanager
def floor() -> Iterator[str]:
    """A page that fetches nothing and draws one triangle: what the browser alone takes here. Its address."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(FLOOR.encode())

        def log_message(self, *said: object) -> None:
            """Nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


@contextlib.contextmanager
def netron(model: Path) -> Iterator[str]:
    """Netron with one model; the address that shows it."""
    port = _free_port()
    command = [str(peers() / "netron"), "--port", str(port), "--verbosity", "quiet", str(model)]
    with _running(command, f"http://localhost:{port}", "/") as address:
        yield address


@contextlib.contextmanager
def model_explorer(model: Path) -> Iterator[str]:
    """Model Explorer; the address that shows one model."""
    port = _free_port()
    command = [str(peers() / "model-explorer"), "--no_open_in_browser", "--skip_health_check"]
    command += ["--port", str(port), str(model)]
    with _running(command, f"http://localhost:{port}", "/") as address:
        shown = json.dumps({"models": [{"url": str(model)}]})
        yield f"{address}/?data={urllib.parse.quote(shown)}"


def submit(address: str, model: Path) -> str:
    """Upload a file; the id of its capture, which has begun."""
    edge = "graphcap-benchmark"
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{model.name}"\r\n\r\n'.encode()
    body = head + model.read_bytes() + f"\r\n--{edge}--\r\n".encode()
    call = urllib.request.Request(f"{address}/api/captures", body, {"Content-Type": f"multipart/form-data; boundary={edge}"})
    return str(json.load(urllib.request.urlopen(call))["id"])


def capture(address: str, model: Path) -> str:
    """The same, waited for."""
    made = submit(address, model)
    deadline = time.monotonic() + CAPTURE_SECONDS
    while time.monotonic() < deadline:
        state = json.load(urllib.request.urlopen(f"{address}/api/captures/{made}"))
        if state["status"] == "done":
            return made
        if state["status"] in {"failed", "cancelled"}:
            raise RuntimeError(f"{model.name}: {state['status']}: {state['failures']}")
        time.sleep(0.3)
    raise TimeoutError(f"{model.name} was not captured within {CAPTURE_SECONDS} s")


@contextlib.contextmanager
def _running(command: list[str], address: str, ready: str, settings: dict[str, str] | None = None) -> Iterator[str]:
    """A server in a process group of its own, once it answers."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **(settings or {})}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            _await(process, address + ready)
            yield address
        except Exception:
            log.seek(0)
            print(log.read().decode(errors="replace")[-2000:], file=sys.stderr)
            raise
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=30)


def _await(process: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"it ended with {process.returncode} before it served {address}")
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (OSError, urllib.error.URLError):
            time.sleep(0.1)
    raise TimeoutError(f"{address} did not answer within {START_SECONDS} s")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
